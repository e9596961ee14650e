__device__ float from_a(float x) { return x * 1e-30f; }
extern "C" __global__ void ka(float *p) { *p = from_a(*p); }
void launch_a(float *p) { ka<<<1, 1>>>(p); }
