__device__ int d(int);
static __device__ int calls;
__device__ int c(int x) { return d(x) + ++calls; }
