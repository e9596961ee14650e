#include "scaled.h"
static __device__ int calls = 9;
extern "C" __device__ int scaled(int x) {
  __shared__ int area[48];
  area[threadIdx_x % 48] = x;
  __syncthreads();
  return area[47 - threadIdx_x % 48] * 3 + calls++ * 0;
}
__device__ int (*pointer_in_b())(int) { return scaled; }
