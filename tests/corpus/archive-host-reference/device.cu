extern "C" __global__ void member_kernel(int *p) { *p = 1; }
extern "C" __global__ void member_idle(int *p) { *p = 2; }
