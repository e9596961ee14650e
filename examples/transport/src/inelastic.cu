// SPDX-License-Identifier: Apache-2.0
#include "transport/fixed.cuh"
#include "transport/interaction.cuh"
#include "transport/rng.cuh"
#include "transport/sampling.cuh"

namespace transport {

__device__ InelasticScatter::InelasticScatter(const Material& material)
    : heaviness_(material.heaviness), density_q8_(material.density_q8) {}

__device__ Collision InelasticScatter::collide(const CollisionSite& site, RngState& rng) const {
  // Of three levels the one that draws highest is excited; its number is the loss.
  std::uint32_t levels[3];
  draw_many(rng, levels, 3);
  const auto loss = static_cast<std::uint32_t>(index_of_largest(levels)) + 1;
  const std::uint32_t group = min(site.group + loss, std::uint32_t{kGroupCount - 1});
  return {sample_direction(rng), group, site.weight, Event::kInelastic};
}

__device__ std::uint32_t InelasticScatter::survival_q8(std::uint32_t group) const {
  return 252 - min(group * heaviness_ + (density_q8_ >> 7), 40u);
}

}  // namespace transport
