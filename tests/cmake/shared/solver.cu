// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>

__device__ float term(float x);
__global__ void solve_kernel(float* out) { *out = term(*out); }
// The library does not launch this kernel, but a program that loads the library may.
__global__ void kernel_for_others(float* out) { *out = term(-*out); }

int solve() {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 0;
  }
  float* out = nullptr;
  cudaMalloc(&out, sizeof(float));
  const float one = 1.0f;
  cudaMemcpy(out, &one, sizeof(one), cudaMemcpyHostToDevice);
  solve_kernel<<<1, 1>>>(out);
  float result = 0.0f;
  cudaMemcpy(&result, out, sizeof(result), cudaMemcpyDeviceToHost);
  std::printf("%g\n", static_cast<double>(result));
  // term(1) = vendor_scale(1) + 1 = (1 * 4 + 2) + 1.
  return result == 7.0f ? 0 : 1;
}
