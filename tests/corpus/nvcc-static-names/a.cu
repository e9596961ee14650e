static __constant__ int limit = 10;
static __global__ void local_kernel(int *p);
void launch(int *p) {
  local_kernel<<<1, 1>>>(p);
  cudaMemcpyToSymbol(limit, p, sizeof limit);
}
static __device__ int state = 1;
static __device__ __noinline__ int step(int x) { return x + state++; }
extern "C" __device__ int of_nvcc(int x);
extern "C" __device__ int of_clang(int x) { return step(x) + limit; }
static __global__ void local_kernel(int *p) { *p = step(*p) + of_nvcc(*p); }
