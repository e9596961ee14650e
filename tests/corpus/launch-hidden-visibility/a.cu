extern "C" __global__ void near(int *p) { *p = 1; }
extern "C" __global__ void far(int *p) { *p = 2; }
extern "C" __global__ void nowhere(int *p) { *p = 3; }
void launch_near(int *p) { near<<<1, 1>>>(p); }
