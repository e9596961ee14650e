__device__ int used_by_z[16] = {1, 2, 3};
extern "C" __attribute__((weak)) __device__ int policy(int x) {
  __shared__ int area[77];
  area[threadIdx_x] = x;
  __syncthreads();
  return area[76 - threadIdx_x] + used_by_z[x & 15];
}
void read_z(void *p) { cudaMemcpyFromSymbol(p, used_by_z, sizeof used_by_z); }
