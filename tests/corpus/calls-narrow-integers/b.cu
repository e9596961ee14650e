#include "narrow.h"
__device__ int widen(signed char x) { return x; }
__device__ bool flip(bool x) { return !x; }
__device__ unsigned short low_half(int x) { return x + 1; }
__device__ Color color(int x) { return x & 1 ? Color::blue : Color::red; }
