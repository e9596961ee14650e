#include "cuda/field.h"

#if defined(HOST_SIDE) && defined(__CUDA_ARCH__)
#error "an option of host code reached device code"
#endif

__device__ int norm(int value) { return value < 0 ? -value : value; }

__global__ void norms(int* values) { values[threadIdx.x] = norm(values[threadIdx.x]); }

int norm_of_field() {
  norms<<<1, 1>>>(nullptr);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
