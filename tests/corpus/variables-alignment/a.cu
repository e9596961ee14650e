struct alignas(16) Four {
  float x, y, z, w;
};
__device__ char before = 'x';
__device__ __align__(4096) char page[100] = "page";
__device__ char between = 'y';
__device__ __align__(16) char bytes[48] = {1, 2, 3};
__device__ Four four = {1, 2, 3, 4};
__constant__ __align__(64) char table[5] = {5, 4, 3, 2, 1};
__constant__ char last = 'z';
void touch(void *p) {
  cudaMemcpyToSymbol(page, p, sizeof page);
  cudaMemcpyToSymbol(bytes, p, sizeof bytes);
}
