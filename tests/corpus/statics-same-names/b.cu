static __device__ long counter[3] = {2, 3};
static __noinline__ __device__ long helper(long x) { return counter[x % 3] += x; }
__device__ long from_b(long x) { return helper(x) + counter[1]; }
