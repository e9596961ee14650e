extern "C" __device__ int scale = 4;
extern "C" __device__ int called(int x) { return x * scale; }
extern "C" __device__ int by_address(int x) { return x - 1; }
extern "C" __global__ void of_clang(int *p) { *p = called(2); }
extern "C" __global__ void idle(int *p) { *p = called(3); }
void launch_clang(int *p) { of_clang<<<1, 1>>>(p); }
