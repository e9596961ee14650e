// SPDX-License-Identifier: Apache-2.0
#include "transport/reduce.cuh"

namespace transport {

__device__ Count block_sum(Count value) {
  constexpr int kWarps = kBlockSize / 32;
  __shared__ Count warp_sums[kWarps];
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, offset);
  }
  __syncthreads();  // an earlier call may still be reading warp_sums
  if (threadIdx.x % 32 == 0) {
    warp_sums[threadIdx.x / 32] = value;
  }
  __syncthreads();
  Count total = 0;
  for (int warp = 0; warp < kWarps; ++warp) {
    total += warp_sums[warp];
  }
  return total;
}

__device__ void widen(Extremes* extremes, Count value) {
  extremes->smallest = min(extremes->smallest, value);
  extremes->largest = max(extremes->largest, value);
}

}  // namespace transport
