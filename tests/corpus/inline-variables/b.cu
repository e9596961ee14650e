#include "vars.h"
extern "C" __global__ void use_b(double *p) { *p = total + limits[2] + (Config::level = 3); }
void launch_b(double *p) {
  use_b<<<1, 1>>>(p);
  cudaMemcpyFromSymbol(p, total, sizeof total);
}
