#include "resource.h"
extern "C" __global__ void use(int *p) {
  Resource one(*p);
  Derived two(*p);
  *p = one.get() + two.get() + through(&two);
}
void launch(int *p) { use<<<1, 1>>>(p); }
