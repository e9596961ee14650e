extern "C" {
__device__ int setting = 2;
}
extern "C" __device__ int hook(int x) {
  __shared__ int turn[32];
  turn[threadIdx_x] = x;
  __syncthreads();
  return turn[31 - threadIdx_x] * setting;
}
