#include <cuda_runtime_api.h>

#include <cstdio>

#include "program/kernel.h"

int main() {
  void* values = nullptr;
  if (cudaMalloc(&values, 32 * sizeof(int)) != cudaSuccess) {
    std::puts("no CUDA device here");
    return 0;
  }
  launch(static_cast<int*>(values));
  int host[32];
  if (cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  std::puts("scaled");
  return 0;
}
