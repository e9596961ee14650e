extern "C" __device__ int caller(int);
extern "C" __global__ void use(int *p) { *p = caller(*p); }
void launch(int *p) { use<<<1, 1>>>(p); }
