#include "point.h"
__device__ Point<double> origin{1.5, 2.5};
__constant__ Point<short> corners[2] = {{1, 2}, {3, 4}};
__device__ double corner(int i) { return corners[i & 1].sum() + unit_point.sum(); }
void set(void *p) { cudaMemcpyToSymbol(origin, p, sizeof origin); }
