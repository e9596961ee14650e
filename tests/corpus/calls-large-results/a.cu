#include "matrix.h"
extern "C" __global__ void use(float *p) {
  Matrix sum = multiply(identity(p[0]), identity(p[1]));
  *p = trace(sum) + row(sum, 2).cells[3];
}
void launch(float *p) { use<<<1, 1>>>(p); }
