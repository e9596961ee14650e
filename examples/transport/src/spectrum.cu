// SPDX-License-Identifier: Apache-2.0
#include "transport/cuda_check.h"
#include "transport/launch.h"
#include "transport/reduce.cuh"
#include "transport/tracks.cuh"

namespace transport {

// One block per group: the sum of its tracks, less how much each thread's share spreads.
__global__ void reduce_spectrum(TrackView tracks, Count* spectrum) {
  Count sum = 0;
  Extremes extremes = {~Count{0}, 0};
  for (std::int32_t cell = static_cast<std::int32_t>(threadIdx.x); cell < kCellCount;
       cell += kBlockSize) {
    const Count length = track_in(tracks, {cell, blockIdx.x});
    widen(&extremes, length);
    sum += length;
  }
  const Count total = block_sum(sum);
  const Count spread = block_sum(extremes.largest - extremes.smallest);
  if (threadIdx.x == 0) {
    spectrum[blockIdx.x] = 16 * total - spread;
  }
}

void launch_spectrum(TrackView tracks, Count* spectrum) {
  reduce_spectrum<<<kGroupCount, kBlockSize>>>(tracks, spectrum);
  TRANSPORT_CHECK(cudaGetLastError());
}

}  // namespace transport
