__device__ __align__(256) char area[37] = {1, 2, 3};
