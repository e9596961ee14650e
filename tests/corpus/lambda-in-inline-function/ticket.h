template <class F> __device__ __noinline__ int twice(F f) { return f() + f(); }
inline __device__ int tickets() {
  return twice([] {
    static __device__ int ticket = 50;
    return ++ticket;
  });
}
