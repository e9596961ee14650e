template <int N> __device__ __noinline__ int meet(int x) {
  asm volatile("barrier.sync %0, 64;" ::"n"(N) : "memory");
  return x + N;
}
__device__ int by_pointer(int (*function)(int), int x);
__device__ int in_b(int x);
__device__ int by_number(int barrier, int x);
