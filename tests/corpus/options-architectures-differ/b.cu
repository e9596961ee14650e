#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 0
#endif
#if __CUDA_ARCH__ == 1000
__device__ int missing(int x);
__device__ int from_b(int x) { return missing(x); }
#else
static __device__ int state = __CUDA_ARCH__;
__device__ int from_b(int x) { return x + state++; }
#endif
