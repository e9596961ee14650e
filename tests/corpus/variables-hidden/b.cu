namespace deeply::nested {
extern __device__ int hidden;
inline namespace v2 {
extern __device__ int shown;
}
__device__ int f(int x);
} // namespace deeply::nested
extern "C" __global__ void use(int *p) {
  *p = deeply::nested::f(*p) + deeply::nested::hidden + deeply::nested::shown;
}
void launch(int *p) { use<<<1, 1>>>(p); }
