#include "barrier.h"
extern "C" __global__ void turns(int *p) {
  __shared__ alignas(Barrier) char place[sizeof(Barrier)];
  Barrier &barrier = *reinterpret_cast<Barrier *>(place);
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 3; ++round) p[threadIdx.x] += turn(p, barrier);
}
void launch(int *p) { turns<<<1, 32>>>(p); }
