#include "barrier.h"
#include <utility>
__device__ int turn(int *p, Barrier &barrier) {
  p[threadIdx.x] += 1;
  auto token = barrier.arrive();
  barrier.wait(std::move(token));
  return p[(threadIdx.x + 1) % 32];
}
