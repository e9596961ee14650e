__device__ int of_wide(int x) { return x * 5; }
