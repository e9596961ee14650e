#include <cuda_runtime.h>
#include <cstdio>
__device__ int vendor_get(int);
void vendor_init(int);
__global__ void k(int *p) { *p = vendor_get(*p); }
int main() {
  vendor_init(3);
  k<<<1, 1>>>(nullptr);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
