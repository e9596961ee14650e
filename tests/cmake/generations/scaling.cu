__device__ int scaled(int value) { return value * 17 + 3; }
