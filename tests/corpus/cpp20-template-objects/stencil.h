struct Stencil {
  int weights[3];
  short shift;
};
template <Stencil S> __device__ __noinline__ int apply(int x) {
  static __device__ int sum = S.weights[1];
  return (x * S.weights[x % 3] >> S.shift) + sum++;
}
template <Stencil S> __device__ const Stencil *address() { return &S; }
__device__ const Stencil *of_b();
__device__ int other(int x);
