#include "kernels.h"
void launch_a(unsigned i, float *p) { kernels[i]<<<1, 1>>>(p); }
const Kernel *table_of_a() { return kernels; }
