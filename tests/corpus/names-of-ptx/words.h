extern "C" {
extern __device__ int tid, rd1;
extern __constant__ int p1;
__device__ int sub(int x);
__device__ int ret(int x);
}
