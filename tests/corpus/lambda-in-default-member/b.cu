#include "defaults.h"
__device__ int of_b(int x) { return Defaults<int>().value - with_default(x) + with_default(x, 3); }
