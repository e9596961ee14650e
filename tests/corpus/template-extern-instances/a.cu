#include "filter.h"
extern "C" __global__ void use(int *p) {
  *p = Filter<3>().apply(*p) + Filter<5>().apply(*p) + Filter<7>().apply(*p) + by_b(*p);
}
void launch(int *p) {
  use<<<1, 1>>>(p);
  cudaMemcpyToSymbol(Filter<5>::uses, p, sizeof(int));
}
