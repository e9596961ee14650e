__device__ int lonely = 77;
__device__ int helper(int x) { return x + lonely; }
extern "C" __global__ void asleep(int *p) { *p = helper(*p); }
void set(int x) { cudaMemcpyToSymbol(lonely, &x, sizeof x); }
