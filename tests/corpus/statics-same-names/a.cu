static __device__ int counter = 1;
static __noinline__ __device__ int helper(int x) { return counter += x; }
__device__ int from_a(int x) { return helper(x) + counter; }
