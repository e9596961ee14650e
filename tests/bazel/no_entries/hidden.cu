#define HIDDEN __attribute__((visibility("hidden")))

__global__ HIDDEN void used_kernel(int *p) { *p = 1; }
__global__ HIDDEN void unused_kernel(int *p) { *p = 2; }
__global__ void exported_kernel(int *p) { *p = 3; }

void launch_used(int *p) { used_kernel<<<1, 1>>>(p); }
