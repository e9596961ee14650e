__device__ bool is_odd(unsigned n);
__device__ int ackermann(int m, int n);
__device__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
extern "C" __global__ void use(int *p) { *p = is_even(*p) + ackermann(2, *p); }
void launch(int *p) { use<<<1, 1>>>(p); }
