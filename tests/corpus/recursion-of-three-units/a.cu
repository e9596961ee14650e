#include "turns.h"
static __device__ int turns = 1;
__device__ int of_a(int x) { return x <= 0 ? turns++ : of_b(x - 1) + turns; }
extern "C" __global__ void use(int *p) { *p = of_a(*p); }
void launch(int *p) { use<<<1, 1>>>(p); }
