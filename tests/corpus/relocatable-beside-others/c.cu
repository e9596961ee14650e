static __device__ int table[4] = {4, 3, 2, 1};
__device__ int of_c(int x) { return table[x & 3]++; }
extern "C" __global__ void kc(int *p) { *p = of_c(*p); }
void launch_c(int *p) { kc<<<1, 1>>>(p); }
