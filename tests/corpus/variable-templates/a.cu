#include "values.h"
extern "C" __global__ void use_a(double *p) {
  *p = value<double> + value<char> + buffer<short, 5>[*(int *)p] + half_pi<float>;
  value<char> = 3;
}
void launch_a(double *p) { use_a<<<1, 1>>>(p); }
