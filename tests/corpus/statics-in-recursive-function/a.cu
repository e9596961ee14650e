#include "walk.h"
extern "C" __global__ void use(int *p) { *p = walk(*p) + visited_by_b(*p); }
void launch(int *p) { use<<<1, 1>>>(p); }
