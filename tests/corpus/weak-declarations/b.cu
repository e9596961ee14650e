#include "optional.h"
static __device__ int uses = 2;
__device__ int optional(int x) { return x + uses++ + table_of_c[x & 3]; }
__attribute__((weak)) __device__ int level = 5;
void write(int *p) { cudaMemcpyToSymbol(level, p, sizeof level); }
