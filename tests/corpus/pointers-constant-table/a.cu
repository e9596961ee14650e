__device__ int add(int x, int y) { return x + y; }
__device__ int unused(int x, int y) { return x ^ y; }
