__device__ int from_b(int x);
__device__ int state = 4;
__device__ int from_a(int x) { return from_b(x) + state; }
extern "C" __global__ void ka(int *p) { *p = from_a(*p); }
void launch_a(int *p) { ka<<<1, 1>>>(p); }
