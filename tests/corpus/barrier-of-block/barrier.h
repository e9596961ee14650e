#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
__device__ int turn(int *p, Barrier &barrier);
