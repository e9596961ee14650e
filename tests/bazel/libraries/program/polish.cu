#include <scale/scale.cuh>

__device__ int polished(int value);

__global__ void polish(int* values) { values[threadIdx.x] = polished(values[threadIdx.x]); }

__global__ void never_launched(int* values) { values[0] = scaled(values[0]); }

int main() {
  void* values = nullptr;
  if (cudaMalloc(&values, 32 * sizeof(int)) != cudaSuccess) return 0;
  polish<<<1, 32>>>(static_cast<int*>(values));
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
