static __device__ long answer[2] = {2, 3};
static __device__ __noinline__ int lookup(int x) { return x * answer[x & 1]++; }
__device__ int from_b(int x) { return lookup(x) + lookup(x + 1); }
