#include "copy.h"
extern "C" __global__ void use(int *p) {
  __shared__ __align__(16) int stage[2][128];
  start_copy(stage[0], p);
  finish_copies();
  __syncthreads();
  *p = stage[0][threadIdx_x ^ 1];
}
extern "C" __global__ void other(int *p) {
  start_copy(own_stage(), p);
  finish_copies();
  *p = own_stage()[threadIdx_x ^ 2];
}
void launch(int *p) {
  use<<<1, 32>>>(p);
  other<<<1, 32>>>(p);
}
