__device__ int from_b(int x) { return x - 1; }
extern "C" __global__ void use_alone(int *p) { *p = from_b(*p); }
void launch_alone(int *p) { use_alone<<<1, 1>>>(p); }
