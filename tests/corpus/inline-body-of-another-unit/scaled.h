extern "C" __device__ int scaled(int x);
__device__ int (*pointer_in_b())(int);
