#include "concepts.h"
extern "C" __global__ void use(long *p) {
  *p = size(3) + size(4l) + size('c') + Box<int>().get() + Box<long>().get() + of_b(*p);
}
template __global__ void constrained<int>(int *p);
void launch(int *p) { constrained<int><<<1, 1>>>(p); }
void launch(long *p) { use<<<1, 1>>>(p); }
