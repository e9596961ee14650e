extern "C" __device__ int copied = 4;
extern "C" __global__ void direct(int *p) { *p = copied; }
extern "C" __global__ void in_table(int *p) { *p = 2; }
void (*kernels[])(int *) = {in_table};
void launch(int *p) {
  cudaMemcpyToSymbol(copied, p, sizeof copied);
  direct<<<1, 1>>>(p);
}
