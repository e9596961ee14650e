// SPDX-License-Identifier: Apache-2.0
#include "transport/debug.cuh"
#include "transport/views.h"

namespace transport {

// The tally by rings around the axis, from before the cell grid; nothing launches it any more.
__global__ void legacy_tally(ParticleView view, Count* rings) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < view.size) {
    const Position position = view.particles[i].position;
    const std::int32_t ring = legacy_ring(position);
    atomicAdd(&rings[ring], static_cast<Count>(legacy_width_q4(ring)));
  }
}

}  // namespace transport
