__device__ volatile int flag;
__device__ volatile int trace[4];
extern "C" __global__ void signal(int *p) { flag = *p; }
void launch_signal(int *p) { signal<<<1, 1>>>(p); }
