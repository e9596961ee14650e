static __device__ double hidden_state __attribute__((used)) = 1.5;
__device__ int read_hidden();
extern "C" __global__ void use(double *p) { *p = read_hidden() + (hidden_state += 1); }
void launch(double *p) { use<<<1, 1>>>(p); }
