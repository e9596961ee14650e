enum class Color : signed char { red = -2, blue };
__device__ int widen(signed char x);
__device__ bool flip(bool x);
__device__ unsigned short low_half(int x);
__device__ Color color(int x);
__device__ int through(int (*function)(signed char), int x);
