#include "nested.h"
__global__ void long_parameter(Deep deep, int *p) { *p = value(deep) + of_b(deep); }
template <class T> __global__ void instance(int *p) { *p = value(T()); }
void launch(int *p) {
  long_parameter<<<1, 1>>>(Deep(), p);
  instance<Deep><<<1, 1>>>(p);
}
