template <class T> struct Interface {
  __device__ virtual T run(T x) = 0;
  __device__ virtual T twice(T x) { return run(run(x)); }
};
template <class D, class T> struct Base : Interface<T> {
  T bias = 2;
  __device__ T run(T x) override { return static_cast<D *>(this)->step(x) + bias; }
};
template <class T> struct Stage : Base<Stage<T>, T> {
  __device__ virtual T step(T x) { return x * T(3); }
};
struct Special : Stage<float> {
  __device__ float step(float x) override { return x - 1; }
};
template <class T> __device__ __noinline__ T run(Interface<T> &interface, T x) {
  return interface.twice(x);
}
__device__ float of_b(float x);
