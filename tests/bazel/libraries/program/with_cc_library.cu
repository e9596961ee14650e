#include <values.h>

int more_values();

__global__ void fill(int* values, int value) { values[threadIdx.x] = value; }

int main() {
  void* values = nullptr;
  if (cudaMalloc(&values, VALUES * sizeof(int)) != cudaSuccess) return more_values() - VALUES - 1;
  fill<<<1, VALUES>>>(static_cast<int*>(values), first_value());
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
