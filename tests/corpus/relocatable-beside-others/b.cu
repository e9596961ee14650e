extern "C" __global__ void kb(int *p) { *p = 2; }
