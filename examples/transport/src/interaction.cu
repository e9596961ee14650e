// SPDX-License-Identifier: Apache-2.0
#include "transport/interaction.cuh"

#include <new>

#include "transport/rng.cuh"

namespace transport {

static_assert(sizeof(ElasticScatter) <= sizeof(InteractionStorage), "storage too small");
static_assert(sizeof(InelasticScatter) <= sizeof(InteractionStorage), "storage too small");
static_assert(sizeof(Capture) <= sizeof(InteractionStorage), "storage too small");

__device__ InteractionKind choose_interaction(const Material& material, std::uint32_t group,
                                              RngState& rng) {
  const std::uint32_t pick = draw_below(rng, 256);
  // Slow particles no longer excite nuclei.
  const std::uint32_t inelastic = group < kGroupCount / 2 ? material.inelastic : 0;
  if (pick < material.elastic) {
    return InteractionKind::kElastic;
  }
  return pick < material.elastic + inelastic ? InteractionKind::kInelastic
                                             : InteractionKind::kCapture;
}

__device__ const Interaction* make_interaction(InteractionKind kind, const Material& material,
                                               InteractionStorage* storage) {
  switch (kind) {
    case InteractionKind::kElastic:
      return new (storage->bytes) ElasticScatter(material);
    case InteractionKind::kInelastic:
      return new (storage->bytes) InelasticScatter(material);
    default:
      return new (storage->bytes) Capture(material);
  }
}

__device__ void apply_collision(Particle* particle, const Collision& collision) {
  particle->direction = collision.direction;
  particle->group = collision.group;
  particle->weight = collision.weight;
}

}  // namespace transport
