#define HOW __attribute__((always_inline))
#include "shared_code.h"
__device__ int of_b(int x) { return differing(x) * 2; }
