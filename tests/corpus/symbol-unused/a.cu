extern "C" {
__device__ int copied = 1, in_table = 2, nobody = 3;
}
void *symbol_table[] = {&in_table};
extern "C" __global__ void use(int *p) { *p = copied; }
void launch(int *p) {
  cudaMemcpyToSymbol(copied, p, sizeof copied);
  use<<<1, 1>>>(p);
}
