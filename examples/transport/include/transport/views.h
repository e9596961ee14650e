// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "transport/constants.h"
#include "transport/particle.h"

namespace transport {

// The views are what kernels take by value: plain pointers, sizes and handles.

using Count = unsigned long long;  // the type atomicAdd knows for 64 bits

struct ParticleView {
  Particle* particles;
  std::uint32_t size;
};

struct SourceSpec {
  std::uint32_t seed;
  Position corner;
  std::uint32_t side_shift;  // the source is a cube of 2^side_shift length units
};

// The texture holds the mean free path, in cell edges, of each (material, group).
struct CrossSectionView {
  cudaTextureObject_t mean_free_path;
};

// Track length by (cell, group).
struct TrackView {
  Count* lengths;
};

struct LayerFlux {
  Count weighted[kLayerCount];
};

}  // namespace transport
