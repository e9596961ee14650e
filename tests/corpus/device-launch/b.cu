__device__ int step = 2;
extern "C" __global__ void grandchild(int *p) { p[threadIdx.x] = step; }
__device__ void launch_from_b(int *p) { grandchild<<<1, 32>>>(p); }
