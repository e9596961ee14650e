extern "C" __global__ void ka(int *p) { *p = 1; }
void launch_a(int *p) { ka<<<1, 1>>>(p); }
