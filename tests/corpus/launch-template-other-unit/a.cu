#include "scale.h"
template __global__ void scale(int *, int);
template __global__ void scale(float *, float);
template __global__ void scale(double *, double);
