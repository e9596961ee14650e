__device__ int exchange(int x) {
  __shared__ __align__(128) int slots[64];
  slots[threadIdx_x] = x;
  __syncthreads();
  return slots[63 - threadIdx_x];
}
