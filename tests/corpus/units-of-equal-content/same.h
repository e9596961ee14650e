static __device__ int total = 3;
static __device__ __noinline__ int next(int x) { return x + total++; }
template <int N> __device__ int weak_instance(int x) {
  static __device__ int uses;
  return x + uses++ + N;
}
static __global__ void count(int *p) { *p = next(*p) + weak_instance<2>(*p); }
static struct Start {
  int content;
  Start() {
    count<<<1, 1>>>(&content);
    cudaMemcpyFromSymbol(&content, total, sizeof total);
  }
} start;
