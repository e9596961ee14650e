#include "group.h"
__device__ int tile_sum(const cg::thread_block_tile<16> &tile, int x) {
  for (int i = tile.size() / 2; i > 0; i /= 2)
    x += tile.shfl_down(x, i);
  return tile.shfl(x, 0);
}
