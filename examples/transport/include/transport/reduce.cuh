// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/views.h"

namespace transport {

// Sum over the block, which must have kBlockSize threads; every thread must call it and all of
// them get the sum.
__device__ Count block_sum(Count value);

struct Extremes {
  Count smallest;
  Count largest;
};

__device__ void widen(Extremes* extremes, Count value);

}  // namespace transport
