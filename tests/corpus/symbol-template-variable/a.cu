#include "state.h"
extern "C" __global__ void use_a(float *p) { *p = State<float>::current * level<int>; }
void launch_a(float *p) {
  cudaMemcpyToSymbol(level<int>, p, sizeof(int));
  use_a<<<1, 1>>>(p);
}
