#include "tags.h"
__device__ int pick(First, int x, Last) { return x + 1; }
__device__ int pick(Second, int x, Last) { return x - 1; }
