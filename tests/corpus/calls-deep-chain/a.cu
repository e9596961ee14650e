#include "state.h"
static __device__ State finish(State s) {
  s.x += 1;
  return s;
}
__device__ State last(State s) { return finish(s); }
extern "C" __global__ void chain(State *p) { *p = in_b(*p); }
void launch(State *p) { chain<<<1, 1>>>(p); }
