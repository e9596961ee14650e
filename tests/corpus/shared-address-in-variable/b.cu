extern __device__ int *published;
__device__ int follow(int i) { return published[i]; }
