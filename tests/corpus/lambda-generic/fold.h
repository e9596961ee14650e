struct Two {
  short a, b;
};
template <class F> __device__ __noinline__ int fold(int x, F function) {
  static __device__ int folds;
  for (int i = 0; i < 3; ++i)
    x = function(x) + folds++;
  return x;
}
inline constexpr auto twice = [] __host__ __device__(int x) { return x * 2; };
__device__ int of_b(int x);
