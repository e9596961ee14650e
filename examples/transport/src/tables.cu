// SPDX-License-Identifier: Apache-2.0
#include "transport/tables.cuh"

#include "transport/cuda_check.h"
#include "transport/launch.h"

namespace transport {

__constant__ Material material_table[kMaterialCount] = {
    {200, 24, 160, 1},  // moderator
    {120, 80, 320, 3},  // shield
    {60, 40, 512, 4},   // absorber
    {230, 16, 64, 2},   // coolant
};

__constant__ std::uint32_t layer_material[kLayerCount] = {3, 0, 0, 0, 1, 1, 0, 0,
                                                         2, 0, 0, 1, 1, 0, 3, 3};

// Filled by upload_tables().
__constant__ Direction direction_table[kDirectionCount];
__constant__ std::uint32_t birth_spectrum[kGroupCount];

__device__ Material material_at(const Position& position) {
  const int layer = min(max(position.z >> kCellShift, 0), kLayerCount - 1);
  return material_table[layer_material[layer]];
}

__device__ void direction_vector(std::uint32_t index, Direction* vector) {
  *vector = direction_table[index];
}

// Directions are numbered by their 27 sign patterns in base 3, less the one that stands still.
__device__ std::uint32_t mirror_direction(std::uint32_t index, int axis) {
  const Direction& d = direction_table[index];
  const int component = axis == 0 ? d.x : axis == 1 ? d.y : d.z;
  const int stride = axis == 0 ? 1 : axis == 1 ? 3 : 9;
  const int pattern = static_cast<int>(index) + (index >= 13 ? 1 : 0);
  const int mirrored = pattern - 2 * component * stride;
  return static_cast<std::uint32_t>(mirrored > 13 ? mirrored - 1 : mirrored);
}

void upload_tables() {
  Direction directions[kDirectionCount];
  int count = 0;
  for (int pattern = 0; pattern < 27; ++pattern) {
    if (pattern != 13) {
      directions[count++] = {pattern % 3 - 1, pattern / 3 % 3 - 1, pattern / 9 - 1};
    }
  }
  TRANSPORT_CHECK(cudaMemcpyToSymbol(direction_table, directions, sizeof directions));

  const std::uint32_t spectrum[kGroupCount] = {18000, 36000, 48000, 56000,
                                               60000, 63000, 65000, 65536};
  TRANSPORT_CHECK(cudaMemcpyToSymbol(birth_spectrum, spectrum, sizeof spectrum));
}

}  // namespace transport
