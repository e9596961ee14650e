static __shared__ int area[16];
__device__ int through_b(int x);
__device__ int through_a(int x) {
  area[threadIdx_x] = x;
  __syncthreads();
  return area[15 - threadIdx_x];
}
extern "C" __global__ void both(int *p) { *p = through_a(*p) + through_b(*p); }
void launch_a(int *p) { both<<<1, 16>>>(p); }
