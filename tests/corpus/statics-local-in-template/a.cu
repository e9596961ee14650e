#include "ring.h"
extern "C" __global__ void use_a(int *p) {
  slot<int, 3>(*p) = slot<float, 5>(*p) + slot<int, 5>(*p);
}
void launch_a(int *p) { use_a<<<1, 1>>>(p); }
