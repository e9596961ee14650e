#include "steps.h"
__device__ int state_of_b = 4;
static __device__ F const own[2] = {[](int x) { return x + 2; }, [](int x) { return x ^ 5; }};
__device__ int apply(F function, int x) { return function(x) * own[0](x); }
__device__ int of_b(int x) { return steps[1](x) + own[x & 1](x); }
