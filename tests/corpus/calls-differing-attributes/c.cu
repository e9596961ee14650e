#define HOW __attribute__((flatten, cold))
#include "shared_code.h"
__device__ int (*const pointer)(int) = differing;
__device__ int of_c(int x) { return pointer(x) + differing(x + 1); }
