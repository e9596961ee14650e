#include "holder.h"
static __device__ __noinline__ int work(int y) {
  auto holder = hold([=](int x) { return x * y; });
  return holder.call(y);
}
extern "C" __global__ void use_a(int *p) { *p = work(*p); }
void launch_a(int *p) { use_a<<<1, 1>>>(p); }
