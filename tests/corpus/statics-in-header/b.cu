#include "state.h"
__device__ int bump(int x);
extern "C" __global__ void compare(int *p) {
  state += 1;
  *p = bump(*p) - state - table[*p & 3];
}
void launch(int *p) { compare<<<1, 1>>>(p); }
