// SPDX-License-Identifier: Apache-2.0
#include "transport/cuda_check.h"
#include "transport/events.cuh"
#include "transport/geometry.cuh"
#include "transport/interaction.cuh"
#include "transport/launch.h"
#include "transport/rng.cuh"

namespace transport {

// Lets each particle that is still alive collide by a model picked at run time.
__global__ void collide_particles(ParticleView view) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= view.size || view.particles[i].status != Status::kAlive) {
    return;
  }
  Particle particle = view.particles[i];
  const Material material = material_at(particle.position);
  const InteractionKind kind = choose_interaction(material, particle.group, particle.rng);

  InteractionStorage storage;
  const Interaction* model = make_interaction(kind, material, &storage);
  RngState rng = particle.rng;
  const CollisionSite site = {particle.direction, particle.group, particle.weight};
  Collision collision = model->collide(site, rng);
  collision.weight = (collision.weight * model->survival_q8(collision.group)) >> 8;
  particle.rng = rng;

  apply_collision(&particle, collision);
  note_event(collision.event);
  view.particles[i] = particle;
}

void launch_collide(ParticleView particles) {
  const unsigned blocks = (particles.size + kBlockSize - 1) / kBlockSize;
  collide_particles<<<blocks, kBlockSize>>>(particles);
  TRANSPORT_CHECK(cudaGetLastError());
}

}  // namespace transport
