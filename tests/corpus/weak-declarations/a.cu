#include "optional.h"
__device__ int (*const hooks[2])(int) = {optional, nullptr};
__device__ int *const levels[2] = {&level, &table_of_c[2]};
extern "C" __global__ void use(int *p) {
  int sum = optional ? optional(*p) : 2;
  for (auto hook : hooks)
    sum += hook ? hook(*p) : 1;
  if (&level)
    sum += level++ + *levels[*p & 1];
  *p = sum;
}
void launch(int *p) { use<<<1, 1>>>(p); }
