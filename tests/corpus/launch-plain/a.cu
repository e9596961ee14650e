__device__ int factor = 3;
extern "C" __global__ void used(int *p) { *p = factor + threadIdx.x; }
extern "C" __global__ void unused(int *p) { *p = -factor; }
void launch(int *p) { used<<<1, 32>>>(p); }
