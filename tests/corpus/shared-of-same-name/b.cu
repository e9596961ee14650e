static __shared__ double area[32];
__device__ int through_a(int x);
__device__ int through_b(int x) {
  area[threadIdx_x] = x;
  __syncthreads();
  return area[31 - threadIdx_x];
}
extern "C" __global__ void only_b(int *p) { *p = through_b(*p); }
extern "C" __global__ void only_a(int *p) { *p = through_a(*p); }
void launch_b(int *p) {
  only_b<<<1, 32>>>(p);
  only_a<<<1, 16>>>(p);
}
