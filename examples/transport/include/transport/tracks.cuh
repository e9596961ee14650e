// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/views.h"

namespace transport {

struct TrackBin {
  std::int32_t cell;
  std::uint32_t group;
};

__device__ void score_track(TrackView tracks, TrackBin bin, std::int32_t path,
                            std::uint32_t weight);
__device__ Count track_in(TrackView tracks, TrackBin bin);
// Fills `lengths` with the tracks of all groups of a cell.
__device__ void load_cell(TrackView tracks, std::int32_t cell, Count* lengths);

}  // namespace transport
