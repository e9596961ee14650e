static __device__ int state = 4;
__device__ int of_member(int x) { return x + state++; }
