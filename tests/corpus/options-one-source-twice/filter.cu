static __device__ TYPE taps[5] = {1, 2, 3, 2, 1};
namespace {
__device__ int rounds;
__device__ __noinline__ TYPE weigh(TYPE x, int i) { return x * taps[i % 5] + rounds++; }
} // namespace
extern "C" __global__ void KERNEL(TYPE *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] = weigh(p[i], i);
}
void launch(TYPE *p, int n) { KERNEL<<<1, 1>>>(p, n); }
