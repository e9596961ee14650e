#include "vars.h"
extern "C" __global__ void use_a(double *p) { *p = (total += 1) * limits[1] + Config::level; }
void launch_a(double *p) {
  use_a<<<1, 1>>>(p);
  cudaMemcpyToSymbol(limits, p, sizeof limits);
}
