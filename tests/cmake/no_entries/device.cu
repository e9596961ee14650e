__device__ int next(int x) { return x + 1; }
