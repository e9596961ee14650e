extern __shared__ __align__(32) float dynamic[];
__device__ float odd_bytes(int i);
__device__ float from_dynamic(int i);
extern "C" __global__ void mix(float *p) {
  __shared__ char flags[13];
  flags[threadIdx_x % 13] = *p;
  dynamic[threadIdx_x] = *p;
  __syncthreads();
  *p = flags[(threadIdx_x + 1) % 13] + odd_bytes(threadIdx_x) + from_dynamic(threadIdx_x);
}
extern "C" __global__ void only_dynamic(float *p) { *p = from_dynamic(threadIdx_x); }
void launch(float *p) {
  mix<<<1, 32, 128>>>(p);
  only_dynamic<<<1, 32, 128>>>(p);
}
