#include "start.h"
__global__ void usual(int *p) { *p = 1; }
extern "C" __global__ void special(int *p) { *p = 2; }
extern "C" __global__ void idle(int *p) { *p = 3; }
void start(int *p, void (*kernel)(int *)) { kernel<<<1, 1>>>(p); }
void start_with(int *p, const Options &options) { options.kernel<<<options.blocks, 1>>>(p); }
