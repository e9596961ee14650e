extern "C" __global__ void direct(int *p) { *p = 1; }
extern "C" __global__ void in_table(int *p) { *p = 2; }
extern "C" __global__ void idle(int *p) { *p = 3; }
static __device__ int own = 4;
typedef void (*Kernel)(int *);
static Kernel kernels[] = {in_table};
void launch(int i, int *p) {
  direct<<<1, 1>>>(p);
  kernels[i]<<<1, 1>>>(p);
  cudaMemcpyToSymbol(own, p, sizeof own);
}
extern "C" __global__ void reads(int *p) { *p = own; }
void launch_too(int *p) { reads<<<1, 1>>>(p); }
