extern "C" __attribute__((weak)) __device__ int mode = 11;
__device__ int mode_of_b();
extern "C" __global__ void use(int *p) { *p = mode + mode_of_b(); }
void launch(int *p) {
  use<<<1, 1>>>(p);
  cudaMemcpyFromSymbol(p, mode, sizeof mode);
}
