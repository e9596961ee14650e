__device__ int *published;
__device__ int follow(int i);
extern "C" __global__ void publish(int *p) {
  __shared__ int area[32];
  area[threadIdx_x] = *p;
  published = area;
  __syncthreads();
  *p = follow(31 - threadIdx_x);
}
void launch(int *p) { publish<<<1, 32>>>(p); }
