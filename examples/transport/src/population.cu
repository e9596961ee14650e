// SPDX-License-Identifier: Apache-2.0
#include "transport/cuda_check.h"
#include "transport/events.cuh"
#include "transport/geometry.cuh"
#include "transport/launch.h"
#include "transport/rng.cuh"
#include "transport/tables.cuh"

namespace transport {
namespace {

__device__ Count survivors;

// Weight below which a particle in this place is not worth following.
__device__ std::uint32_t weight_floor(const Position& position) {
  const Material material = material_at(position);
  const std::uint32_t importance = layer_importance(layer_of_cell(cell_of(position)));
  return (kUnitWeight / 4) / max(importance, 1u) * 16 + material.density_q8;
}

__global__ void roulette_particles(ParticleView view) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= view.size || view.particles[i].status != Status::kAlive) {
    return;
  }
  Particle& particle = view.particles[i];
  const Position position = particle.position;
  if (particle.weight >= weight_floor(position)) {
    return;
  }
  // One in two survives, and carries the weight of the other: the mean does not change.
  RngState rng = particle.rng;
  const bool survives = draw_below(rng, 2) == 0;
  particle.rng = rng;
  if (survives) {
    particle.weight *= 2;
    atomicAdd(&survivors, Count{1});
  } else {
    particle.status = Status::kDead;
    note_event(Event::kRouletteKill);
  }
}

}  // namespace

void launch_roulette(ParticleView particles) {
  const unsigned blocks = (particles.size + kBlockSize - 1) / kBlockSize;
  roulette_particles<<<blocks, kBlockSize>>>(particles);
  TRANSPORT_CHECK(cudaGetLastError());
}

Count read_roulette_survivors() {
  Count count = 0;
  TRANSPORT_CHECK(cudaMemcpyFromSymbol(&count, survivors, sizeof count));
  return count;
}

}  // namespace transport
