static __device__ int state = 2;
static __device__ __noinline__ int step(int x) { return x - state++; }
static __constant__ int limit = 20;
extern "C" __device__ int of_clang(int x);
extern "C" __device__ int of_nvcc(int x) { return step(x) * limit; }
static __global__ void local_kernel(int *p) { *p = step(*p) + of_clang(*p); }
extern "C" __global__ void kernel_of_nvcc(int *p) { *p = of_clang(*p); }
void launch_nvcc(int *p) {
  local_kernel<<<1, 1>>>(p);
  kernel_of_nvcc<<<1, 1>>>(p);
  cudaMemcpyToSymbol(limit, p, sizeof limit);
}
