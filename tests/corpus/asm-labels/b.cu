__device__ int skip(int n);
extern "C" __global__ void use(int *p) { *p = skip(*p) + skip(*p + 1); }
void launch(int *p) { use<<<1, 1>>>(p); }
