__device__ int total;
__device__ int limit;
__device__ void add(int x) {
  if (x < limit)
    total = x;
}
