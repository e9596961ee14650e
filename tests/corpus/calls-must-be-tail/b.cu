__device__ int odd(int x);
static __device__ int calls;
__device__ int even(int x) {
  if (x == 0)
    return 1 + calls++;
  [[clang::musttail]] return odd(x - 1);
}
