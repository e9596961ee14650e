#include "settings.h"
__device__ Part last_of_b = {"last of b"};
__device__ float weights_of_b[2] = {4, 5};
__device__ float of_b(float x) { return x - weights_of_b[0]; }
__device__ int last_name() { return settings.last->name[0] + settings.check; }
