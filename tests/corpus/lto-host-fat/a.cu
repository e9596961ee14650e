static __device__ int state = 2;
__device__ int of_a(int x) { return x * state++; }
extern "C" __global__ void ka(int *p) { *p = of_a(*p); }
void launch_a(int *p) { ka<<<1, 1>>>(p); }
