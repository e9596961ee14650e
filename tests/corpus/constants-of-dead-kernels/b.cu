__constant__ int second[6000];
extern "C" __global__ void dead(int *p, int i) { *p = second[i]; }
