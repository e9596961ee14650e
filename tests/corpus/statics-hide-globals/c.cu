extern __device__ int answer;
__device__ int lookup(int x);
extern "C" __device__ int from_c(int x) { return lookup(x) - answer; }
