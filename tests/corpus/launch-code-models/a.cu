#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
extern "C" __global__ void NAME(int *p) { *p = 1; }
extern "C" __global__ void JOIN(taken_, NAME)(int *p) { *p = 2; }
extern "C" __global__ void JOIN(idle_, NAME)(int *p) { *p = 3; }
extern "C" void JOIN(launch_, NAME)(int *p) { NAME<<<1, 1>>>(p); }
void (*JOIN(address_, NAME)())(int *) { return JOIN(taken_, NAME); }
