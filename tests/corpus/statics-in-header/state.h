static __device__ int state = 5;
static __constant__ int table[4] = {1, 2, 3, 4};
