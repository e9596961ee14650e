extern "C" __global__ void other(int *p) { *p = 10; }
extern "C" __global__ void unused(int *p) { *p = 11; }
#ifndef __CUDA_ARCH__
extern "C" __attribute__((alias("__device_stub__other"))) void launch_other(int *);
#endif
