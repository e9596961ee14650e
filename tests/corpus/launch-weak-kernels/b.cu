extern "C" __attribute__((weak)) __global__ void tunable(int *p) {
  __shared__ int area[128];
  area[threadIdx_x] = *p;
  __syncthreads();
  *p = area[127 - threadIdx_x];
}
