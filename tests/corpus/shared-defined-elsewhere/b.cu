#include "shared.h"
__shared__ double pair_of_b[2];
__device__ int read_board(int i) {
  pair_of_b[i & 1] = board[i % 40];
  __syncthreads();
  return pair_of_b[1];
}
