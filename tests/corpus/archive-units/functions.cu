static __device__ int factor = 3;
__device__ int part_function(int x) { return x * factor++; }
