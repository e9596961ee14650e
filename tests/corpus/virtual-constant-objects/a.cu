#include "rule.h"
__constant__ Rule *const rules[3] = {&first, &second, &second_too};
extern "C" __global__ void use(int *p) { *p = rules[*p % 3]->apply(*p) + last().apply(*p); }
void launch(int *p) {
  use<<<1, 1>>>(p);
  cudaMemcpyToSymbol(second_too, p, sizeof second_too);
}
