#ifndef HOW
#define HOW __attribute__((noinline))
#endif
__device__ int of_b(int x);
__device__ int of_c(int x);
inline __device__ HOW int differing(int x) {
  static __device__ int uses = 11;
  return x * 5 + uses++;
}
