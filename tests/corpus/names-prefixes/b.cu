#include "run.h"
extern "C" {
__device__ int state = 1;
__device__ int state1 = 2;
__device__ int state11 = 3;
__device__ int run_1(int x) { return x * state11++; }
__global__ void ru(int *p) { *p = 2; }
__global__ void runs(int *p) { *p = state + state1; }
__global__ void _run(int *p) { *p = 3; }
}
void launch_b(int *p) {
  runs<<<1, 1>>>(p);
  cudaMemcpyFromSymbol(p, state, sizeof *p);
}
