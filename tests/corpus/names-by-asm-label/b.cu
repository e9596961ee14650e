#include "labels.h"
extern "C" {
__device__ int visible_counter = 3;
__device__ int renamed_inner(int x);
__device__ int inner(int x) { return x * 9; }
}
__device__ int outer(int x) { return renamed_inner(x) - inner(x); }
