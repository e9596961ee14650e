extern "C" __global__ void direct(int *p) { *p = 1; }
extern "C" __global__ void in_table(int *p) { *p = 2; }
void (*section_table[])(int *) = {in_table};
void launch_a(int *p) { direct<<<1, 1>>>(p); }
