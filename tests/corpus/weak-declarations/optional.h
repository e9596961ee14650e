__attribute__((weak)) __device__ int optional(int x);
extern __attribute__((weak)) __device__ int level;
extern __attribute__((weak)) __constant__ int table_of_c[4];
