template <class F> __global__ void for_each(int *p, F f) { p[threadIdx_x] = f(p[threadIdx_x]); }
