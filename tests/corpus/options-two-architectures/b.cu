#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 0
#endif
__device__ int of_architecture[__CUDA_ARCH__ / 100 + 1];
__device__ int size_of_area(int x) { return x * of_architecture[x & 7]++; }
