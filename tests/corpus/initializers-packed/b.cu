__device__ int target[4] = {4, 5, 6, 7};
__device__ int function(int x) { return x + target[0]; }
