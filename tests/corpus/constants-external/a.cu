extern __constant__ const int limit;
extern __constant__ const double factors[3];
__constant__ const int limit = 12;
__constant__ const double factors[3] = {1.5, 2.5, 3.5};
__device__ const int *limit_address() { return &limit; }
