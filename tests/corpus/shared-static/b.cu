__device__ int sum(int x) {
  __shared__ int partial[32];
  partial[threadIdx_x & 31] = x;
  __syncthreads();
  return partial[(threadIdx_x + 1) & 31];
}
__device__ int maximum(int x) {
  __shared__ double largest[16];
  largest[threadIdx_x & 15] = x;
  __syncthreads();
  return largest[(threadIdx_x + 1) & 15];
}
