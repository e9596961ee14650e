__device__ void store_shared(int *p, int x);
extern "C" __global__ void use(int *p) {
  __shared__ int area[32];
  store_shared(&area[threadIdx_x], *p);
  __syncthreads();
  *p = area[31 - threadIdx_x];
}
void launch(int *p) { use<<<1, 32>>>(p); }
