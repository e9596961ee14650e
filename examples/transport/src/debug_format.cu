// SPDX-License-Identifier: Apache-2.0
#include "transport/debug.cuh"

namespace transport {

__device__ const char* status_text(Status status) {
  return status == Status::kAlive ? "alive" : "dead";
}

__device__ std::uint32_t particle_fingerprint(const Particle& particle) {
  std::uint32_t hash = 2166136261u;
  for (std::uint32_t word : particle.rng.word) {
    hash = (hash ^ word) * 16777619u;
  }
  return (hash ^ particle.weight) * 16777619u;
}

}  // namespace transport
