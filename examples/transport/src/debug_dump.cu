// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "transport/debug.cuh"
#include "transport/views.h"

namespace transport {

// Nothing launches it: one adds a launch while hunting for a bug.
__global__ void debug_dump_particles(ParticleView view) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < view.size) {
    const Particle particle = view.particles[i];
    printf("%u: %s, group %u, weight %u, fingerprint %08x\n", i, status_text(particle.status),
           particle.group, particle.weight, particle_fingerprint(particle));
  }
}

}  // namespace transport
