// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/tables.cuh"

namespace transport {

struct CollisionSite {
  std::uint32_t direction;
  std::uint32_t group;
  std::uint32_t weight;
};

struct Collision {
  std::uint32_t direction;
  std::uint32_t group;
  std::uint32_t weight;
  Event event;
};

// A model of one kind of collision. Objects are built on the device, in the caller's storage.
class Interaction {
 public:
  __device__ virtual Collision collide(const CollisionSite& site, RngState& rng) const = 0;
  __device__ virtual std::uint32_t survival_q8(std::uint32_t group) const = 0;

 protected:
  ~Interaction() = default;
};

class ElasticScatter final : public Interaction {
 public:
  __device__ explicit ElasticScatter(const Material& material);
  __device__ Collision collide(const CollisionSite& site, RngState& rng) const override;
  __device__ std::uint32_t survival_q8(std::uint32_t group) const override;

 private:
  std::uint32_t heaviness_;
};

class InelasticScatter final : public Interaction {
 public:
  __device__ explicit InelasticScatter(const Material& material);
  __device__ Collision collide(const CollisionSite& site, RngState& rng) const override;
  __device__ std::uint32_t survival_q8(std::uint32_t group) const override;

 private:
  std::uint32_t heaviness_;
  std::uint32_t density_q8_;
};

class Capture final : public Interaction {
 public:
  __device__ explicit Capture(const Material& material);
  __device__ Collision collide(const CollisionSite& site, RngState& rng) const override;
  __device__ std::uint32_t survival_q8(std::uint32_t group) const override;

 private:
  std::uint32_t density_q8_;
};

enum class InteractionKind : std::uint32_t { kElastic, kInelastic, kCapture };

// Large enough for any of the models.
struct alignas(8) InteractionStorage {
  unsigned char bytes[16];
};

__device__ InteractionKind choose_interaction(const Material& material, std::uint32_t group,
                                              RngState& rng);
__device__ const Interaction* make_interaction(InteractionKind kind, const Material& material,
                                               InteractionStorage* storage);
__device__ void apply_collision(Particle* particle, const Collision& collision);

}  // namespace transport
