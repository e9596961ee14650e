inline __device__ int walk(int x) {
  static __device__ int trail[5] = {4, 3, 2, 1, 0};
  static __constant__ unsigned char limits[3] = {10, 20, 30};
  if (x <= 0 || x > limits[x % 3])
    return trail[0];
  trail[x % 5] = x;
  return walk(x - 1) + walk(x / 2) + trail[(x + 1) % 5];
}
__device__ int visited_by_b(int x);
