static __device__ int state = 3;
__device__ int with_dash(int x);
__device__ int with_underscore(int x);
extern "C" __global__ void start(int *p) { *p = with_dash(*p) + with_underscore(*p) + state++; }
void launch(int *p) { start<<<1, 1>>>(p); }
