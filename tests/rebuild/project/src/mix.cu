#include "units.cuh"

// Only `audit` calls it.
__device__ int mixed(int value) { return value ^ (value >> 7); }
