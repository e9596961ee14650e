// SPDX-License-Identifier: Apache-2.0
#include "transport/fixed.cuh"
#include "transport/interaction.cuh"
#include "transport/rng.cuh"
#include "transport/sampling.cuh"

namespace transport {

__device__ ElasticScatter::ElasticScatter(const Material& material)
    : heaviness_(material.heaviness) {}

__device__ Collision ElasticScatter::collide(const CollisionSite& site, RngState& rng) const {
  // The lighter the nucleus, the more energy the particle leaves with it.
  std::uint32_t losses[4];
  draw_many(rng, losses, 4);
  for (std::uint32_t& loss : losses) {
    loss >>= 29 + min(heaviness_, 2u);
  }
  const std::uint32_t loss = min(sum_of(losses) >> 2, 2u);
  const std::uint32_t group = min(site.group + loss, std::uint32_t{kGroupCount - 1});
  return {sample_direction(rng), group, site.weight, Event::kElastic};
}

__device__ std::uint32_t ElasticScatter::survival_q8(std::uint32_t) const {
  return 256;
}

}  // namespace transport
