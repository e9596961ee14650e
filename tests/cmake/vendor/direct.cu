// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>

extern __device__ float vendor_scale(float x);
__global__ void scale(float* out) { *out = vendor_scale(*out); }

int run() {
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
  scale<<<1, 1>>>(out);
  float result = 0.0f;
  cudaMemcpy(&result, out, sizeof(result), cudaMemcpyDeviceToHost);
  std::printf("%g\n", static_cast<double>(result));
  return result == 6.0f ? 0 : 1;
}
