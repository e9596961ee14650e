#include "table.h"
__device__ int of_b(int x) { return table[x & 1](x) + pick(x)(x); }
