// SPDX-License-Identifier: Apache-2.0
#include "transport/interaction.cuh"
#include "transport/sampling.cuh"

namespace transport {

__device__ Capture::Capture(const Material& material) : density_q8_(material.density_q8) {}

// Capture is not the end of a history: the weight pays for it, and roulette ends light ones.
__device__ Collision Capture::collide(const CollisionSite& site, RngState& rng) const {
  const std::uint32_t kept = site.weight - (site.weight >> 2) - (site.weight >> 3);
  return {sample_direction(rng), site.group, kept, Event::kCapture};
}

__device__ std::uint32_t Capture::survival_q8(std::uint32_t group) const {
  return 240 - min((density_q8_ >> 4) + group, 64u);
}

}  // namespace transport
