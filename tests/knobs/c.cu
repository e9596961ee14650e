// What the second unit calls, and a kernel of its own.
#include "shared.cuh"

__device__ float factors[4] = {1, 2, 3, 4};

__device__ float helped(float x) {
  float sum = x;
  for (int i = 0; i < 4; ++i)
    sum = sum * factors[i] + x;
  return sum;
}

__global__ void doubled(float *out) { out[threadIdx.x] *= 2; }

void launch_doubled(float *out) { doubled<<<1, 32>>>(out); }
