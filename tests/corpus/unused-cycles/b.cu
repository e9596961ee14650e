#include "circle.h"
__device__ Functions functions = {&functions_of_c, circle_a};
__device__ int circle_b(int x) { return functions.next->function(x); }
__device__ int apart(int x) { return x + 1; }
