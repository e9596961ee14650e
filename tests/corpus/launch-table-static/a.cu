extern "C" __global__ void first(int *p) { *p = 1; }
extern "C" __global__ void second(int *p) { *p = 2; }
extern "C" __global__ void third(int *p) { *p = 3; }
extern "C" __global__ void fourth(int *p) { *p = 4; }
static void (*const table[])(int *) = {first, second, third};
void launch(int *p, int which) { table[which]<<<1, 1>>>(p); }
