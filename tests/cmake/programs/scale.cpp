#include "grid.h"

__device__ int scaled(int value, int factor) { return value * factor; }
