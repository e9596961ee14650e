__device__ int a(int);
__device__ int d(int x) { return x > 3 ? a(x / 2) : x; }
