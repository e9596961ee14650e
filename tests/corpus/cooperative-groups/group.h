#include <cooperative_groups.h>

namespace cg = cooperative_groups;
__device__ int tile_sum(const cg::thread_block_tile<16> &tile, int x);
