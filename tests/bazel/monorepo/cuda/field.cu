#include "cuda/field.h"
#include "plain/plain.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1000 && !defined(FOR_SM_100)
#error "the architectures did not reach select()"
#endif

__device__ int norm(int value);

__global__ void fill(int* values) { values[threadIdx.x] = SCALE * norm(threadIdx.x); }

// Nothing launches this kernel.
__global__ void never_launched(int* values) { values[0] = 3; }

int fill_field() {
  int* values = nullptr;
  if (cudaMalloc(&values, plain() * sizeof(int)) != cudaSuccess) return 1;
  fill<<<1, plain()>>>(values);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 2;
}
