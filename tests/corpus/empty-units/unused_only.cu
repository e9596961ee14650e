static __device__ int unused_function(int x) { return x; }
static inline __device__ int another(int x) { return unused_function(x); }
