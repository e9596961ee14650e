static __device__ int state$ = 3;
extern "C" __device__ int function$1(int x);
extern "C" __device__ int function_1(int x) { return x * state$++; }
__global__ void __kernel(int *p) { *p = function$1(*p) + function_1(*p); }
void launch_b(int *p) { __kernel<<<1, 1>>>(p); }
