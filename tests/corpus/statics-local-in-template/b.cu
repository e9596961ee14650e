#include "ring.h"
extern "C" __global__ void use_b(int *p) { slot<float, 5>(*p) = slot<int, 3>(*p) + 1; }
void launch_b(int *p) { use_b<<<1, 1>>>(p); }
