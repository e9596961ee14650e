__constant__ int first_half[8000] = {1};
__device__ int of_second(int i);
extern "C" __global__ void use(int *p) { *p = first_half[*p] + of_second(*p); }
void launch(int *p) {
  use<<<1, 1>>>(p);
  cudaMemcpyToSymbol(first_half, p, 4);
}
