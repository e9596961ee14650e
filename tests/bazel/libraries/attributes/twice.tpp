#pragma once

template <typename T>
__host__ __device__ T twice(T value) {
  return value + value;
}
