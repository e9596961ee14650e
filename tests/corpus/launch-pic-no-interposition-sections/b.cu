extern "C" __global__ void other_direct(int *p) { *p = 3; }
void launch_b(int *p) { other_direct<<<1, 1>>>(p); }
