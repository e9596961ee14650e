#include "turns.h"
static __device__ int turns = 3;
__device__ int (*const next[2])(int) = {of_a, of_b};
__device__ int of_c(int x) { return x <= 0 ? turns++ : next[x & 1](x - 1); }
