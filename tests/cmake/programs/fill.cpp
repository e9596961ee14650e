#include "grid.h"

__global__ void fill_kernel(int *values) { values[threadIdx.x] = scaled(threadIdx.x + 1, 1); }

void fill(int *values, int count) { fill_kernel<<<1, count>>>(values); }
