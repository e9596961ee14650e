namespace two {
__device__ int state = 2;
__device__ int helper(int x) { return x - state; }
__global__ void work(int *p) { *p = helper(*p); }
} // namespace two
