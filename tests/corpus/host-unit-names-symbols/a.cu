extern "C" __device__ int plain_copy = 5;
extern "C" __global__ void plain_launch(int *p) { *p = plain_copy; }
extern "C" __global__ void never(int *p) { *p = 1 - plain_copy; }
