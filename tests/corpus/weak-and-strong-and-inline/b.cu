static __device__ int uses = 5;
__attribute__((weak)) __device__ int value(int x) {
  __shared__ int area[100];
  area[x % 100] = uses++;
  return area[x % 7];
}
__device__ int (*const weak_value)(int) = value;
__device__ int inline_value(int x) { return weak_value(x) + 1; }
