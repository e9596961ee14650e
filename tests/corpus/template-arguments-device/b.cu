__device__ int level = 12;
__device__ int negate(int x) { return level - x; }
