// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/particle.h"

namespace transport {

// Used by kernels which nothing launches any more.
__device__ const char* status_text(Status status);
__device__ std::uint32_t particle_fingerprint(const Particle& particle);

__device__ std::int32_t legacy_ring(const Position& position);
__device__ std::int32_t legacy_width_q4(std::int32_t ring);

}  // namespace transport
