#include "launches.h"
#include "units.cuh"

__global__ void advance(int* values) { values[threadIdx.x] = scaled(values[threadIdx.x]); }

void launch_advance(int* values) { advance<<<1, 32>>>(values); }
