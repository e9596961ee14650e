#include <cuda_bf16.h>
#include <cuda_fp8.h>
struct Scaled {
  __nv_fp8_e4m3 value;
  __nv_bfloat16 scale;
  __nv_fp8x4_e5m2 rest;
};
__device__ Scaled weights[3];
__constant__ __nv_fp8x2_e4m3 pairs[5];
__device__ float of_weight(Scaled scaled) {
  return float(scaled.value) * __bfloat162float(scaled.scale);
}
extern "C" __global__ void mix(__nv_bfloat16 *p, __nv_fp8_e5m2 one, Scaled scaled,
                               __nv_bfloat162 two) {
  __shared__ __nv_bfloat162 area[33];
  area[threadIdx.x] = __hmul2(two, two);
  __syncthreads();
  float sum = of_weight(scaled) + of_weight(weights[1]);
  *p = __hadd(area[31 - threadIdx.x].x, __float2bfloat16(sum));
  weights[0].value = __nv_fp8_e4m3(float(one) + float2(pairs[threadIdx.x % 5]).x);
}
void launch(__nv_bfloat16 *p) {
  cudaMemcpyToSymbol(pairs, p, sizeof pairs);
  mix<<<1, 32>>>(p, __nv_fp8_e5m2(), Scaled(), __nv_bfloat162());
}
