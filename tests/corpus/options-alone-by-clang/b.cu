__device__ int state = 2;
__device__ int from_b(int x) { return x + state++; }
