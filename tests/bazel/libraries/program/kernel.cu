#include <scale/scale.cuh>

#include "program/kernel.h"

__global__ void scale_all(int* values) { values[threadIdx.x] = scaled(values[threadIdx.x]); }

void launch(int* values) { scale_all<<<1, 32>>>(values); }
