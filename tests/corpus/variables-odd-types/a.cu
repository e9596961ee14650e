#include "types.h"
__device__ __int128 wide = (__int128)1 << 100;
__device__ bool flags[5] = {true, false, true};
__device__ Three three = {1, 2, 3};
__device__ Color color = Color::green;
__device__ Empty nothing;
void read(void *p) {
  cudaMemcpyFromSymbol(p, wide, sizeof wide);
  cudaMemcpyFromSymbol(p, flags, sizeof flags);
  cudaMemcpyFromSymbol(p, three, sizeof three);
  cudaMemcpyFromSymbol(p, color, sizeof color);
  cudaMemcpyFromSymbol(p, nothing, sizeof nothing);
}
