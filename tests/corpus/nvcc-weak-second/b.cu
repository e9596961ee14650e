extern "C" __attribute__((weak)) __device__ int adapt(int x) { return x + 1; }
extern "C" __global__ void use_nvcc(int *p) { *p = adapt(*p); }
void launch_nvcc(int *p) { use_nvcc<<<1, 32>>>(p); }
