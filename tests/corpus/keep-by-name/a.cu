__device__ int needed_by_name(int x);
extern "C" __global__ void by_name(int *p) { *p = needed_by_name(*p); }
extern "C" __global__ void not_named(int *p) { *p = 3; }
extern "C" __global__ void launched_too(int *p) { *p = 4; }
void launch(int *p) { launched_too<<<1, 1>>>(p); }
extern "C" const char *const kernel_name = "by_name";
