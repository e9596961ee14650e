#include "kernels.h"
void launch_b(double *p, const void **out) {
  of_type<double><<<1, 1>>>(p);
  *out = &of_type<short>;
}
