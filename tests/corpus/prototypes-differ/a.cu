extern "C" __device__ int mixed(int, int);
extern "C" __global__ void use(int *p) { *p = mixed(*p, 2); }
void run(int *p) { use<<<1, 1>>>(p); }
