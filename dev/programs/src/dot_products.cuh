// Dot products of bytes for clang. The headers of CUDA 13 take them from functions that only
// NVIDIA's compiler has.
#pragma once
#if defined(__clang__) && defined(__CUDA_ARCH__)
extern "C" {
__device__ inline int __nv_idp4a_s_s_impl(int a, int b, int c) {
  int sum;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}
__device__ inline unsigned __nv_idp4a_u_u_impl(unsigned a, unsigned b, unsigned c) {
  unsigned sum;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}
}
#endif
