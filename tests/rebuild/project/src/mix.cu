#include "units.cuh"

// Only `audit` calls this function.
__device__ int mixed(int value) { return value ^ (value >> 7); }
