__device__ int of_a(int x);
__device__ int of_b(int x);
__device__ int of_c(int x);
