__constant__ int setting = 4;
__device__ int bias;
