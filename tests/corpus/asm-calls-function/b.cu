__device__ int call(int x);
extern "C" __global__ void use(int *p) { *p = call(*p); }
void launch(int *p) { use<<<1, 1>>>(p); }
