__device__ int size_of_area(int x);
extern "C" __global__ void use(int *p) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  __shared__ int area[90];
#else
  __shared__ int area[80];
#endif
  area[threadIdx_x] = *p;
  __syncthreads();
  *p = area[31 - threadIdx_x] + size_of_area(*p);
}
void launch(int *p) { use<<<1, 32>>>(p); }
