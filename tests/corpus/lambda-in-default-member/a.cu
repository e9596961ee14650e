#include "defaults.h"
extern "C" __global__ void use(int *p) {
  Defaults<int> defaults;
  Defaults<char> others;
  *p = defaults.value + others.value + with_default(*p) + of_b(*p);
}
void launch(int *p) { use<<<1, 1>>>(p); }
