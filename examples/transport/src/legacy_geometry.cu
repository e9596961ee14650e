// SPDX-License-Identifier: Apache-2.0
#include "transport/debug.cuh"
#include "transport/fixed.cuh"

namespace transport {

__device__ std::int32_t legacy_ring(const Position& position) {
  const std::int32_t x = (position.x - kExtent / 2) >> kCellShift;
  const std::int32_t y = (position.y - kExtent / 2) >> kCellShift;
  return min(x * x + y * y, kLayerCount - 1);
}

__device__ std::int32_t legacy_width_q4(std::int32_t ring) {
  const auto inner = static_cast<float>(ring);
  return snap<16>(sqrtf(inner + 1.0f) - sqrtf(inner));
}

}  // namespace transport
