#pragma once

#include <cuda_runtime.h>

#include <cstdio>

__device__ int scaled(int value, int factor);
void fill(int *values, int count);

// Returns the exit code of a program whose kernel makes 32, the last value, what is expected.
inline int check(void (*kernel)(int *), int expected) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("no GPU");
    return 0;
  }
  const int count = 32;
  int *values = nullptr;
  if (cudaMallocManaged(&values, count * sizeof *values) != cudaSuccess) {
    return 1;
  }
  fill(values, count);
  kernel<<<1, count>>>(values);
  const bool right = cudaDeviceSynchronize() == cudaSuccess && values[count - 1] == expected;
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
