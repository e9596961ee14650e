extern "C" __global__ void shared_kernel(int *p) { *p = 1; }
