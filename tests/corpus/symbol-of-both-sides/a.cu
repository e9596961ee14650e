#include "both.h"
extern "C" __global__ void use(int *p) { *p = *find(*p) + of_b(*p); }
int *launch(int *p) {
  use<<<1, 1>>>(p);
  cudaMemcpyToSymbol(*find(0), p, sizeof(int));
  return find(1);
}
