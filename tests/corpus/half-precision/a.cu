#include <cuda_fp16.h>
__device__ __half weights[3];
__constant__ __half2 pair;
extern "C" __global__ void mix(__half *p, __half scale, __half2 two) {
  __shared__ __half2 area[33];
  area[threadIdx.x] = __hmul2(two, pair);
  __syncthreads();
  *p = __hadd(__hmul(scale, weights[threadIdx.x % 3]), area[31 - threadIdx.x].x);
}
void launch(__half *p) {
  cudaMemcpyToSymbol(weights, p, sizeof weights);
  mix<<<1, 32>>>(p, __half{}, __half2{});
}
