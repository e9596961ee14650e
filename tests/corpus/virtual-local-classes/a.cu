#include "visitor.h"
extern "C" __global__ void use(int *p) { *p = total(*p) + make<char>()->visit(*p) + of_b(*p); }
void launch(int *p) { use<<<1, 1>>>(p); }
