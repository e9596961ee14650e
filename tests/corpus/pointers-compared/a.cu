#include "f.h"
extern "C" __global__ void compare(int *p) {
  p[0] = of_b(0) == plain;
  p[1] = of_b(1) == in_header;
  p[2] = of_b(2) == in_template<int>;
  p[3] = is_known(of_b(*p)) ? of_b(*p)(3) : plain(4);
}
void launch(int *p) { compare<<<1, 1>>>(p); }
