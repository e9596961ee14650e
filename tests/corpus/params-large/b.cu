struct Large {
  int values[1500];
};
__device__ int look(const Large &large, int i) { return large.values[i % 1500]; }
