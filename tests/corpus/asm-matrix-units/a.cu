#include "tile.h"
extern "C" __global__ void use(float *p) {
  Fragment sum = {};
  __shared__ __align__(16) unsigned rows[64];
  rows[threadIdx_x] = *p;
  __syncthreads();
  for (int i = 0; i < 4; ++i)
    sum = multiply(load(rows, i), load(rows, i + 1), sum);
  p[threadIdx_x] = sum.values[threadIdx_x & 3];
}
void launch(float *p) { use<<<1, 32>>>(p); }
