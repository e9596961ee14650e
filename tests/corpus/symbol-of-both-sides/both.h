inline __device__ int even = 4, odd = 5;
extern __device__ int in_struct;
__host__ __device__ inline int *find(int i) { return i & 1 ? &odd : &even; }
__device__ int of_b(int x);
struct Names {
  const char *name;
  const void *symbol;
};
