// SPDX-License-Identifier: Apache-2.0
#include "transport/cuda_check.h"
#include "transport/events.cuh"
#include "transport/launch.h"
#include "transport/rng.cuh"
#include "transport/sampling.cuh"

namespace transport {

__global__ void emit_particles(ParticleView view, SourceSpec source) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= view.size) {
    return;
  }
  Particle particle;
  particle.rng = seed_stream(source.seed, i);
  sample_position(source, particle.rng, &particle.position);
  particle.direction = sample_direction(particle.rng);
  particle.group = sample_birth_group(particle.rng);
  particle.weight = kUnitWeight;
  particle.status = Status::kAlive;
  note_event(Event::kBirth);
  view.particles[i] = particle;
}

void launch_emit(ParticleView particles, const SourceSpec& source) {
  const unsigned blocks = (particles.size + kBlockSize - 1) / kBlockSize;
  emit_particles<<<blocks, kBlockSize>>>(particles, source);
  TRANSPORT_CHECK(cudaGetLastError());
}

}  // namespace transport
