extern "C" __device__ int nvcc_exchange(int x, int (*callback)(int));
static __device__ int calls;
static __device__ int callback(int x) { return x + calls++; }
extern "C" __global__ void caller(int *p) { *p = nvcc_exchange(*p, callback); }
void launch(int *p) { caller<<<1, 32, 256>>>(p); }
