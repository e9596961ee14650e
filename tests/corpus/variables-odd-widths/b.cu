#include "widths.h"
__device__ _BitInt(13) small[4] = {1, -2, 4095, -4096};
__device__ _BitInt(90) large[4] = {-1, (_BitInt(90))0x123456789abcdef << 30, 7};
__device__ Mixed mixed = {1, -5, 2, true, 0x7fff};
__device__ Vector vectors[2] = {{1, 2, 3}, {-1, -2, -3}};
__device__ bool mask[2][4] = {{true, false, true}, {false, true, true, true}};
