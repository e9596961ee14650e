extern "C" __global__ void in_table(int *p) { *p = 1; }
extern "C" __global__ void in_call(int *p) { *p = 2; }
extern "C" __device__ int counted = 3;
typedef void (*Kernel)(int *);
static const Kernel kernels[2] = {in_table, nullptr};
int launch(int i, int *p) {
  int copy[4] = {i};
  kernels[i & 1]<<<1, 1>>>(p + copy[i]);
  in_call<<<1, 1>>>(p);
  return cudaMemcpyFromSymbol(p, counted, sizeof counted);
}
