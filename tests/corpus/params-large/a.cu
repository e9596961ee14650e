struct Large {
  int values[1500];
};
struct AtLimit {
  long values[511];
};
__device__ int look(const Large &large, int i);
extern "C" __global__ void large_kernel(int *p, Large large, int n) { *p = look(large, n); }
extern "C" __global__ void limit_kernel(long *p, AtLimit limit) { *p = limit.values[510]; }
void launch(int *p, const Large &large, const AtLimit &limit) {
  large_kernel<<<1, 1>>>(p, large, 7);
  limit_kernel<<<1, 1>>>((long *)p, limit);
}
