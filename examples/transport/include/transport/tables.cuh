// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/particle.h"

namespace transport {

struct Material {
  std::uint32_t elastic;    // shares of 256; what is left over is capture
  std::uint32_t inelastic;
  std::uint32_t density_q8;
  std::uint32_t heaviness;  // of its nuclei, from 1; light ones slow particles most
};

// Defined in tables.cu, read by several units.
extern __constant__ Material material_table[kMaterialCount];
extern __constant__ std::uint32_t layer_material[kLayerCount];
extern __constant__ Direction direction_table[kDirectionCount];
extern __constant__ std::uint32_t birth_spectrum[kGroupCount];  // cumulative, of 2^16

__device__ Material material_at(const Position& position);
__device__ void direction_vector(std::uint32_t index, Direction* vector);
__device__ std::uint32_t mirror_direction(std::uint32_t index, int axis);

}  // namespace transport
