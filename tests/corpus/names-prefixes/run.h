extern "C" {
extern __device__ int state, state1;
__device__ int run_(int x);
__device__ int run_1(int x);
}
