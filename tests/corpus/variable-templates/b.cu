#include "values.h"
extern "C" __global__ void use_b(double *p) {
  value<double> = *p;
  buffer<short, 5>[1] = value<char>;
  buffer<long, 2>[0] = half_pi<double>;
}
void launch_b(double *p) { use_b<<<1, 1>>>(p); }
