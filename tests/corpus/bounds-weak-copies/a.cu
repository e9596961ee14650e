extern "C" WEAK __global__ void BOUNDS overridden(int *p) { *p = SIZE; }
extern "C" __attribute__((weak)) __global__ void BOUNDS all_weak(int *p) {
  __shared__ int area[SIZE];
  area[threadIdx_x] = *p;
  __syncthreads();
  *p = area[SIZE - 1 - threadIdx_x];
}
void NAME(int *p) {
  overridden<<<1, 32>>>(p);
  all_weak<<<1, 32>>>(p);
}
