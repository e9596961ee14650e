#include "table.h"
extern "C" __global__ void use(int *p) { *p = table[*p & 1](*p) + of_b(*p); }
void launch(int *p) { use<<<1, 1>>>(p); }
