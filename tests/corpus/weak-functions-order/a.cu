extern "C" __attribute__((weak)) __device__ int policy(int x) { return x + 1; }
extern "C" __global__ void use(int *p) { *p = policy(*p); }
void launch(int *p) { use<<<1, 32>>>(p); }
