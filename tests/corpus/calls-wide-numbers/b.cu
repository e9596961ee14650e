#include "wide.h"
static __device__ Wide last = ((Wide)0x0123456789abcdefl << 64) | 0xfedcba9876543210ul;
__device__ Wide multiply(Wide one, Wide other) { return last += one * other; }
__device__ long double half_of(long double x) { return x / 2; }
__device__ Pair sum(Quad quad, Pair pair) { return pair + Pair{quad.x + quad.y, quad.z + quad.w}; }
