#include "labels.h"
__device__ int inner(int x) asm("renamed_inner");
__device__ int inner(int x) { return x + counter++; }
extern "C" __global__ void use(int *p) { *p = inner(*p) + outer(*p); }
void launch(int *p) { use<<<1, 1>>>(p); }
