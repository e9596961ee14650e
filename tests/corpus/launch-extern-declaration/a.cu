extern "C" __global__ void worker(int *p) { *p = 1; }
extern "C" __global__ void idle(int *p) { *p = 2; }
