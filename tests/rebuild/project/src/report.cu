#include "launches.h"

// Of no other unit, and no other unit imports from this one.
__global__ void report(int* values) { values[threadIdx.x] += 5; }

void launch_report(int* values) { report<<<1, 32>>>(values); }
