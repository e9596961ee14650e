// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/particle.h"

namespace transport {

// Returns the reason why a particle is outside of its bounds; null when all is well.
__device__ const char* fault_of(const Particle& particle);

// Says so, a few times per run. Bad states only come here, so it stays out of line: no kernel
// should carry its code. It takes numbers, not the particle, so that callers keep theirs in
// registers.
__device__ __noinline__ void report_lost(const char* fault, std::int32_t x, std::int32_t y,
                                         std::int32_t z);

}  // namespace transport
