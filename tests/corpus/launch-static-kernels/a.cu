static __global__ void secret(int *p) { *p = 1; }
void launch_a(int *p) { secret<<<1, 1>>>(p); }
