#include "units.cuh"

__device__ int scaled(int value) { return value * 3 + kStride; }
