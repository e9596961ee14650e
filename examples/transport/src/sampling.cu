// SPDX-License-Identifier: Apache-2.0
#include "transport/sampling.cuh"

#include "transport/fixed.cuh"
#include "transport/response.cuh"
#include "transport/rng.cuh"
#include "transport/tables.cuh"

namespace transport {

__device__ void sample_position(const SourceSpec& source, RngState& rng, Position* position) {
  std::uint32_t draws[3];
  draw_many(rng, draws, 3);
  const std::uint32_t shift = 32 - source.side_shift;
  position->x = source.corner.x + static_cast<std::int32_t>(draws[0] >> shift);
  position->y = source.corner.y + static_cast<std::int32_t>(draws[1] >> shift);
  position->z = source.corner.z + static_cast<std::int32_t>(draws[2] >> shift);
}

__device__ std::uint32_t sample_direction(RngState& rng) {
  return draw_below(rng, kDirectionCount);
}

__device__ std::uint32_t sample_birth_group(RngState& rng) {
  const std::uint32_t pick = draw_below(rng, 1u << 16);
  std::uint32_t group = 0;
  for (int i = 0; i < kGroupCount - 1; ++i) {
    group += pick >= birth_spectrum[i] ? 1 : 0;
  }
  return group;
}

__device__ std::int32_t sample_flight(CrossSectionView sections, std::uint32_t material,
                                      std::uint32_t group, RngState& rng) {
  // The table holds multiples of 1/8, so the product is exact.
  const float cells = tex1Dfetch<float>(sections.mean_free_path,
                                        static_cast<int>(material * kGroupCount + group));
  const std::int32_t mean = snap<kCellEdge>(cells);
  const std::int32_t depth = optical_depth_q5(draw_below(rng, 64));
  return scale_by<5>(mean, depth) + 1;
}

}  // namespace transport
