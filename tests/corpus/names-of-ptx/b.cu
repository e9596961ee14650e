#include "words.h"
static __device__ int shared = 6;
extern "C" {
__device__ int tid = 1;
__device__ int rd1 = 2;
__constant__ int p1 = 3;
__device__ int param = 4;
__device__ int sub(int x) { return x - shared * param++; }
__device__ int ret(int x) { return x ^ rd1++; }
__global__ void entry(int *p) { *p = sub(*p); }
}
void launch_b(int *p) { entry<<<1, 1>>>(p); }
