extern "C" __device__ int second_of_nvcc(int x);
__device__ int nvcc_state = 4;
extern "C" __device__ int of_nvcc(int x) {
  __shared__ int area[32];
  area[threadIdx.x] = x;
  __syncthreads();
  return area[31 - threadIdx.x] + second_of_nvcc(x) + nvcc_state;
}
