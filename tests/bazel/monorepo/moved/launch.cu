#include "moved/launch.h"
#include "vendor/vendor.h"

#if !defined(__CUDA_ARCH__) && HOST + LOCAL != 3
#error "options of host code are missing"
#endif

__device__ int scale(int value);

__global__ void scaled(int* values) { values[0] = scale(values[0]); }

int launch() {
  scaled<<<1, 1>>>(nullptr);
  return vendor();
}
