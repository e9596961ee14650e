#include "scratch.h"
__device__ int reader(int i);
extern "C" __global__ void writer(int *p) {
  scratch()[threadIdx_x] = *p;
  typed_scratch<long>()[threadIdx_x % 9] = *p;
  __syncthreads();
  *p = reader(threadIdx_x);
}
void launch(int *p) { writer<<<1, 32>>>(p); }
