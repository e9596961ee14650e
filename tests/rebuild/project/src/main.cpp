#include <cuda_runtime_api.h>

#include <cstdio>

#include "launches.h"

int main() {
  void* memory = nullptr;
  if (cudaMalloc(&memory, 32 * sizeof(int)) != cudaSuccess) {
    std::puts("no CUDA device here");
    return 0;
  }
  int* values = static_cast<int*>(memory);
  launch_advance(values);
  launch_audit(values);
  launch_report(values);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
