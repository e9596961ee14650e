__device__ int reversed(const int *from, int count, int i);
static __device__ __noinline__ int doubled(const int *from, int count) {
  int *copy = static_cast<int *>(__builtin_alloca(count * sizeof(int)));
  for (int i = 0; i < count; ++i)
    copy[i] = from[i] * 2;
  return reversed(copy, count, 0);
}
extern "C" __global__ void use(int *p) { *p = doubled(p, *p) + reversed(p, *p, 1); }
void launch(int *p) { use<<<1, 1>>>(p); }
