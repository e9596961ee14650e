#include "state.h"
extern "C" __global__ void use_b(float *p) { State<float>::current = *p + level<int>; }
void launch_b(float *p) {
  cudaMemcpyToSymbol(State<float>::current, p, sizeof(float));
  use_b<<<1, 1>>>(p);
}
