__device__ int scale(int value) { return 3 * value; }
