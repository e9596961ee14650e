#include "fold.h"
template <class F> __global__ void run(F function, int *p) { *p = function(*p); }
__device__ int of_b(int x) {
  return fold(x, [&](int y) { return x = y * 2; }) + fold(x, twice);
}
void launch_b(int *p, long scale) {
  run<<<1, 1>>>([scale] __host__ __device__(int x) { return x - (int)scale; }, p);
}
