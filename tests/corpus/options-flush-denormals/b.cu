__device__ float from_a(float x);
__device__ float from_c(float x);
extern "C" __global__ void kb(float *p) { *p = from_a(*p) + from_c(*p); }
void launch_b(float *p) { kb<<<1, 1>>>(p); }
