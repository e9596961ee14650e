extern "C" __device__ int one(int x);
extern "C" __device__ double two(double x);
extern "C" __global__ void both(int *p) { *p = one(*p) + (int)two(*p); }
void launch(int *p) { both<<<1, 1>>>(p); }
