extern "C" __global__ void a_direct(int *p) { *p = 1; }
extern "C" __global__ void a_table(int *p) { *p = 2; }
static __global__ void in_unit(int *p) { *p = 3; }
void (*a_kernels[])(int *) = {a_table, in_unit};
void launch_a(int *p) { a_direct<<<1, 1>>>(p); }
