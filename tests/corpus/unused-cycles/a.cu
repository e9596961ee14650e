#include "circle.h"
__device__ int state_of_a = 1;
__device__ int circle_a(int x) { return x ? circle_b(x - 1) + state_of_a : 0; }
extern "C" __global__ void idle_a(int *p) { *p = circle_a(*p); }
extern "C" __global__ void alive(int *p) { *p = apart(*p); }
void launch(int *p) { alive<<<1, 1>>>(p); }
