#include <cub/block/block_reduce.cuh>

typedef cub::BlockReduce<float, 128> Reduce;
__device__ float square(float x);
extern "C" __global__ void total(float *p) {
  __shared__ Reduce::TempStorage storage;
  float sum = Reduce(storage).Sum(square(p[threadIdx.x]));
  if (threadIdx.x == 0)
    *p = sum;
}
void launch(float *p) { total<<<1, 128>>>(p); }
