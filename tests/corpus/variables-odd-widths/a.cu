#include "widths.h"
extern "C" __global__ void use(long *p) {
  int i = *p & 3;
  *p = small[i] + (long)(large[i] >> 64) + mixed.middle + vectors[i & 1][2] + (mask[1][i] ? 1 : 0);
  small[i] = *p;
}
void launch(long *p) {
  use<<<1, 1>>>(p);
  cudaMemcpyToSymbol(large, p, sizeof large);
}
