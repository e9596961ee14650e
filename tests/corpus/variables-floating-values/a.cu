#include "numbers.h"
extern "C" __global__ void use(double *p) {
  int i = *p;
  *p = singles[i & 7] + doubles[i & 7] + (float)halves[i & 3] + complex[i & 1].imaginary +
       limits_of<float>.largest;
}
void launch(double *p) {
  use<<<1, 1>>>(p);
  cudaMemcpyFromSymbol(p, singles, sizeof singles);
}
