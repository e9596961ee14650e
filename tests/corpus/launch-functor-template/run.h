template <class F> __global__ void run(int *p, F f) { p[threadIdx_x] = f(p[threadIdx_x]); }
struct Twice {
  __device__ int operator()(int x) const { return 2 * x; }
};
