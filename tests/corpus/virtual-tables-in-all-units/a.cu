#include "node.h"
extern "C" __global__ void create(int *p) {
  new (storage[0]) Node(*p);
  new (storage[1]) Typed<double>(*p);
}
void launch_a(int *p) { create<<<1, 1>>>(p); }
