// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/particle.h"

namespace transport {

// xoshiro128**: integers only.
__device__ RngState seed_stream(std::uint32_t seed, std::uint32_t stream);
__device__ std::uint32_t draw(RngState& rng);
__device__ std::uint32_t draw_below(RngState& rng, std::uint32_t bound);
__device__ void draw_many(RngState& rng, std::uint32_t* out, int count);

}  // namespace transport
