// SPDX-License-Identifier: Apache-2.0
#include "transport/cuda_check.h"
#include "transport/events.cuh"
#include "transport/geometry.cuh"
#include "transport/guard.cuh"
#include "transport/launch.h"
#include "transport/sampling.cuh"
#include "transport/tables.cuh"
#include "transport/tracks.cuh"

namespace transport {
namespace {

__device__ std::uint32_t material_index(const Position& position) {
  return layer_material[position.z >> kCellShift];
}

}  // namespace

// Moves each particle through the cells to its next collision, or out of the world.
__global__ void advance_particles(ParticleView view, CrossSectionView sections, TrackView tracks) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= view.size || view.particles[i].status != Status::kAlive) {
    return;
  }
  Particle particle = view.particles[i];
  Direction direction;
  direction_vector(particle.direction, &direction);

  // Flights are exponential, hence memoryless: one that enters another material is drawn anew.
  std::uint32_t material = kMaterialCount;
  std::int32_t left = 0;
  for (int segment = 0; segment < kMaxSegments; ++segment) {
    if (const char* fault = fault_of(particle)) {
      const Position& at = particle.position;
      report_lost(fault, at.x, at.y, at.z);
      particle.status = Status::kDead;
      note_event(Event::kLost);
      break;
    }
    if (material_index(particle.position) != material) {
      material = material_index(particle.position);
      left = sample_flight(sections, material, particle.group, particle.rng);
    }

    Crossing crossing;
    next_crossing(particle.position, direction, &crossing);
    const std::int32_t path = min(crossing.path, left);
    const TrackBin bin = {cell_of(particle.position), particle.group};
    score_track(tracks, bin, path, particle.weight);
    left -= path;
    if (left <= 0) {
      break;  // collides in this cell
    }

    move_by(&particle.position, direction, crossing.units);
    const Boundary boundary = apply_boundary(&particle.position, &particle.direction);
    if (boundary == Boundary::kEscaped) {
      particle.status = Status::kDead;
      note_event(Event::kEscape);
      break;
    }
    if (boundary == Boundary::kReflected) {
      direction_vector(particle.direction, &direction);
      note_event(Event::kReflection);
    }
  }
  view.particles[i] = particle;
}

void launch_advance(ParticleView particles, CrossSectionView sections, TrackView tracks) {
  const unsigned blocks = (particles.size + kBlockSize - 1) / kBlockSize;
  advance_particles<<<blocks, kBlockSize>>>(particles, sections, tracks);
  TRANSPORT_CHECK(cudaGetLastError());
}

}  // namespace transport
