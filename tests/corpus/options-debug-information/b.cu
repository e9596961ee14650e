static __device__ int hidden = 3;
__device__ int from_b(int x) { return x * hidden++; }
