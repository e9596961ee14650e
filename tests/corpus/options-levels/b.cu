__device__ int c(int);
__device__ int b(int x) { return c(x) * 2; }
