// Declares the few names of CUDA's headers that most programs of the corpus need. clang reads these
// headers for the better part of a second, twice for each unit, and this file in no time.
#pragma once

#ifdef __NVCC__
// nvcc reads CUDA's headers by itself.
#include <new>
#define blockIdx_x blockIdx.x
#define threadIdx_x threadIdx.x
#else

#define __constant__ __attribute__((constant))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __grid_constant__ __attribute__((grid_constant))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))

#define blockIdx_x __nvvm_read_ptx_sreg_ctaid_x()
#define threadIdx_x __nvvm_read_ptx_sreg_tid_x()

struct dim3 {
  unsigned x, y, z;
  constexpr __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
};
typedef struct CUstream_st *cudaStream_t;
typedef unsigned long size_t;
typedef int cudaError_t;
struct cudaFuncAttributes {
  char content[256];
};
enum { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };

extern "C" {
int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
int __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, cudaStream_t *);
int cudaFuncSetAttribute(const void *, int, int);
int cudaFuncGetAttributes(cudaFuncAttributes *, const void *);
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t);
int cudaMemcpyToSymbol(const void *, const void *, size_t, size_t = 0, int = 1);
int cudaMemcpyFromSymbol(void *, const void *, size_t, size_t = 0, int = 2);
int cudaGetSymbolAddress(void **, const void *);
}

// As in CUDA's headers, symbols may be given by reference.
template <class T>
static inline int cudaMemcpyToSymbol(const T &symbol, const void *source, size_t size,
                                     size_t offset = 0, int kind = 1) {
  return ::cudaMemcpyToSymbol((const void *)&symbol, source, size, offset, kind);
}
template <class T>
static inline int cudaMemcpyFromSymbol(void *target, const T &symbol, size_t size,
                                       size_t offset = 0, int kind = 2) {
  return ::cudaMemcpyFromSymbol(target, (const void *)&symbol, size, offset, kind);
}
template <class T> static inline int cudaGetSymbolAddress(void **address, const T &symbol) {
  return ::cudaGetSymbolAddress(address, (const void *)&symbol);
}

inline __device__ void *operator new(size_t, void *place) noexcept { return place; }
#endif
