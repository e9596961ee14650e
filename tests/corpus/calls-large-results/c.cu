#include "matrix.h"
__device__ float trace(Matrix matrix) {
  float sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += matrix.rows[i].cells[i];
  return sum;
}
__device__ Row row(const Matrix &matrix, int i) { return matrix.rows[i]; }
