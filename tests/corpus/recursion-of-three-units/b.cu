#include "turns.h"
static __device__ int turns = 2;
__device__ int of_b(int x) {
  __shared__ int area[20];
  area[threadIdx_x % 20] = x;
  return x <= 0 ? turns++ : of_c(area[x % 20] - 1) + of_a(x / 2);
}
