__device__ int zero;
__device__ int initialized = 0x12345678;
__device__ const int constant = 99;
__device__ short partly[6] = {1, 2};
__device__ char large[1 << 20];
__constant__ int constant_zero[3];
__device__ float negative_zero = -0.0f;
__device__ int select(int i);
extern "C" __global__ void use(int *p) {
  *p = zero + initialized + constant + partly[*p & 3] + large[*p] + constant_zero[*p & 1] +
       (int)negative_zero + select(*p);
}
void launch(int *p) {
  cudaMemcpyToSymbol(zero, p, 4);
  cudaMemcpyToSymbol(initialized, p, 4);
  cudaMemcpyToSymbol(partly, p, 4);
  cudaMemcpyToSymbol(large, p, 4);
  cudaMemcpyToSymbol(constant_zero, p, 4);
  use<<<1, 1>>>(p);
}
