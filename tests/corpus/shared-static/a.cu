__device__ int sum(int x);
__device__ int maximum(int x);
extern "C" __global__ void reduce(int *p) {
  __shared__ int own[256];
  own[threadIdx_x] = p[threadIdx_x];
  __syncthreads();
  p[threadIdx_x] = sum(own[255 - threadIdx_x]) + maximum(own[threadIdx_x ^ 1]);
}
void launch(int *p) { reduce<<<1, 256>>>(p); }
