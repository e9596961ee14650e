inline __device__ int value(int x) {
  __shared__ int area[50];
  area[x % 50] = x;
  return area[x % 5];
}
inline __device__ int inline_value(int x) { return value(x) + 2; }
__device__ int (*const inline_pointer)(int) = value;
__device__ int (*const inline_other)(int) = inline_value;
extern "C" __global__ void use_of_c(int *p) { *p = inline_pointer(*p) + inline_other(*p); }
void launch_c(int *p) { use_of_c<<<1, 1>>>(p); }
