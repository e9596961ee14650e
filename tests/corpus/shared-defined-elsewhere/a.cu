#include "shared.h"
extern "C" __global__ void writes(int *p) {
  board[threadIdx_x] = *p;
  __syncthreads();
  *p = read_board(*p);
}
extern "C" __global__ void without(int *p) { *p = 1; }
void launch(int *p) {
  writes<<<1, 40>>>(p);
  without<<<1, 1>>>(p);
}
