extern "C" {
__device__ int limit = 2;
}
__device__ int hook(int x) {
  __shared__ int turn[32];
  turn[threadIdx_x] = x;
  __syncthreads();
  return turn[31 - threadIdx_x] * limit;
}
