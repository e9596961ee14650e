#include "tables.h"
constinit __device__ Table state = {.length = 3, .values = {9, .5, 7}};
constinit static __device__ const double *middle = &state.values[1];
extern "C" __global__ void use(double *p) {
  *p = squares.values[(int)*p & 15] + state.values[(int)*p & 3] + *middle + where(*p) + of_b(*p);
}
void launch(double *p) {
  use<<<1, 1>>>(p);
  cudaMemcpyToSymbol(state, p, sizeof *p);
}
