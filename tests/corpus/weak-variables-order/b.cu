extern "C" __attribute__((weak)) __device__ int mode = 22;
__device__ int mode_of_b() { return mode; }
