// SPDX-License-Identifier: Apache-2.0
#include "transport/tracks.cuh"

namespace transport {
namespace {

__device__ std::int32_t slot(TrackBin bin) {
  return bin.cell * kGroupCount + static_cast<std::int32_t>(bin.group);
}

}  // namespace

__device__ void score_track(TrackView tracks, TrackBin bin, std::int32_t path,
                            std::uint32_t weight) {
  // Integer sums do not depend on the order in which the threads arrive.
  const Count score = static_cast<Count>(path) * (weight >> 8);
  atomicAdd(&tracks.lengths[slot(bin)], score);
}

__device__ Count track_in(TrackView tracks, TrackBin bin) {
  return tracks.lengths[slot(bin)];
}

__device__ void load_cell(TrackView tracks, std::int32_t cell, Count* lengths) {
  for (std::uint32_t group = 0; group < kGroupCount; ++group) {
    lengths[group] = track_in(tracks, {cell, group});
  }
}

}  // namespace transport
