#include "state.h"
static __device__ int passes;
__device__ State in_b(State s) {
  s.x += ++passes;
  return in_c(s);
}
