extern "C" __global__ void wrapped(int *p) { *p = 1; }
extern "C" __global__ void dead(int *p) { *p = 2; }
