extern "C" __global__ void wrapped(int *p) { *p = 1; }
void launch(int *p) { wrapped<<<1, 1>>>(p); }
