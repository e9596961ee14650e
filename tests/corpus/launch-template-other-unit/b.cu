#include "scale.h"
extern template __global__ void scale(int *, int);
extern template __global__ void scale(float *, float);
void launch(int *i, float *f) {
  scale<<<1, 32>>>(i, 3);
  scale<<<1, 32>>>(f, 0.5f);
}
