__device__ int answer = 1;
__device__ int lookup(int x) { return x + answer; }
extern "C" __device__ int from_c(int x);
__device__ int from_b(int x);
extern "C" __global__ void ask(int *p) { *p = lookup(*p) + from_b(*p) + from_c(*p); }
void launch(int *p) { ask<<<1, 1>>>(p); }
