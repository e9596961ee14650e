__device__ int first(int x);
__device__ int second(int x);
__device__ bool same(int (*one)(int), int (*other)(int));
