#include <scale/scale.cuh>

#include "private.cuh"

__device__ int scaled(int value) { return value * SCALE_FACTOR + OFFSET; }
