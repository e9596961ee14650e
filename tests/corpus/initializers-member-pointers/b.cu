#include "object.h"
static __device__ int calls;
__device__ int Object::plain(int x) { return x + a + calls++; }
__device__ int Object::other(int x) { return x - b; }
__device__ int Object::dynamic(int x) { return x * b; }
