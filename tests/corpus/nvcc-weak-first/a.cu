extern "C" __attribute__((weak)) __device__ int adapt(int x) { return x + 1; }
extern "C" __global__ void use(int *p) { *p = adapt(*p); }
void launch(int *p) { use<<<1, 32>>>(p); }
