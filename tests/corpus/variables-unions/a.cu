#include "choice.h"
__device__ static union {
  int as_int;
  float as_float;
} both = {.as_float = 1.5f};
extern "C" __global__ void use(int *p) {
  *p = both.as_int++ + choices[*p & 3].number + table_of_b[*p & 1].pair.high +
       packed_flags.raw[*p & 1];
}
void launch(int *p) {
  use<<<1, 1>>>(p);
  cudaMemcpyToSymbol(choices, p, sizeof *p);
}
