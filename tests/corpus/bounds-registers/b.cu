extern "C" __device__ float polynomial(float x);
extern "C" __global__ void __maxnreg__(64) limited(float *p) { p[threadIdx.x] = polynomial(*p); }
void launch(float *p) { limited<<<1, 32>>>(p); }
