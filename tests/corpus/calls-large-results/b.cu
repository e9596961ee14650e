#include "matrix.h"
static __device__ Matrix last;
__device__ Matrix identity(float scale) {
  Matrix result = {};
  for (int i = 0; i < 16; ++i)
    result.rows[i].cells[i] = scale;
  return result;
}
__device__ Matrix multiply(Matrix one, Matrix other) {
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j)
      one.rows[i].cells[j] *= other.rows[j].cells[i];
  return last = one;
}
