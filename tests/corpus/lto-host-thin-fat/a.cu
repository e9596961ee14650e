static __device__ int state = 2;
__device__ int of_a(int x) { return x * state++; }
extern "C" __global__ void ka(int *p) { *p = of_a(*p); }
extern "C" __global__ void idle(int *p) { *p = of_a(*p + 1); }
static void launch_local(int *p) { ka<<<1, 1>>>(p); }
void (*const start)(int *) = launch_local;
