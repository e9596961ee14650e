__device__ float from_b(float x, float y);
__device__ float from_a(float x) { return sinf(x) / x; }
extern "C" __global__ void ka(float *p) { *p = from_a(*p) + from_b(*p, 2.0f); }
void launch_a(float *p) { ka<<<1, 1>>>(p); }
