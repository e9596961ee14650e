extern "C" __global__ void aliased(int *p) { *p = 1; }
extern "C" __global__ void dead(int *p) { *p = 2; }
template <class T> __global__ void instance(T *p) { *p = 3; }
template __global__ void instance<int>(int *);
#ifndef __CUDA_ARCH__
extern "C" __attribute__((alias("__device_stub__aliased"))) void launch_aliased(int *);
extern "C" __attribute__((alias("_Z23__device_stub__instanceIiEvPT_"))) void launch_it(int *);
#endif
