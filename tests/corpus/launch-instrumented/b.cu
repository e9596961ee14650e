extern "C" __global__ void kb(int *p) { *p = 2; }
void launch_b(int *p) { kb<<<1, 1>>>(p); }
