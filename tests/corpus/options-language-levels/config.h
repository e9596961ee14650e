struct Config {
  static constexpr int table[3] = {5, 6, 7};
};
__device__ int of_a(const int *table);
__device__ int of_b(int x);
__device__ int latest(int x);
