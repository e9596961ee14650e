// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/views.h"

namespace transport {

__device__ void sample_position(const SourceSpec& source, RngState& rng, Position* position);
__device__ std::uint32_t sample_direction(RngState& rng);
__device__ std::uint32_t sample_birth_group(RngState& rng);

// Length of one free flight, in length units along the particle's path.
__device__ std::int32_t sample_flight(CrossSectionView sections, std::uint32_t material,
                                      std::uint32_t group, RngState& rng);

}  // namespace transport
