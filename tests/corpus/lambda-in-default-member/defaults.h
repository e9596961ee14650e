template <class T> struct Defaults {
  T value = [] {
    static __device__ T made = 3;
    return made++;
  }();
};
inline __device__ __noinline__ int with_default(int x, int y = [] {
  static __device__ int asked = 100;
  return asked++;
}()) {
  return x + y;
}
__device__ int of_b(int x);
