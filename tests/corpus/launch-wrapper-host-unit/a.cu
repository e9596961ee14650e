extern "C" __global__ void wrapped(int *p) { *p = 1; }
extern "C" __global__ void unwrapped(int *p) { *p = 2; }
void launch(int *p) { wrapped<<<1, 1>>>(p); }
