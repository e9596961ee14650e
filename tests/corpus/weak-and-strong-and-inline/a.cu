__device__ int value(int x);
inline __device__ int inline_value(int x) { return value(x) + 1; }
extern "C" __global__ void use(int *p) { *p = value(*p) + inline_value(*p); }
void launch(int *p) { use<<<1, 1>>>(p); }
