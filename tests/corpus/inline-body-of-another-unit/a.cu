#include "scaled.h"
static __device__ int quick_calls = 7;
extern "C" {
extern inline __attribute__((gnu_inline)) __device__ int scaled(int x) {
  return x * 3 + quick_calls++ * 0;
}
}
extern "C" __global__ void use(int *p) { *p = scaled(*p) + (pointer_in_b() == scaled); }
void launch(int *p) { use<<<1, 1>>>(p); }
