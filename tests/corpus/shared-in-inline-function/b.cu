#include "scratch.h"
__device__ __noinline__ int reader(int i) { return scratch()[i] + typed_scratch<long>()[i % 9]; }
