#include "barriers.h"
__device__ int by_pointer(int (*function)(int), int x) { return function(x); }
__device__ int in_b(int x) { return meet<12>(x) + meet<3>(x); }
__device__ int by_number(int barrier, int x) {
  asm volatile("barrier.sync %0, 64;" ::"r"(barrier) : "memory");
  return x + 1;
}
