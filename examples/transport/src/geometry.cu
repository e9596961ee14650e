// SPDX-License-Identifier: Apache-2.0
#include "transport/geometry.cuh"

#include "transport/fixed.cuh"
#include "transport/tables.cuh"

namespace transport {
namespace {

constexpr std::int32_t kNoFace = 1 << 20;

__device__ std::int32_t gap_to_face(std::int32_t at, std::int32_t toward) {
  const std::int32_t within = at & (kCellEdge - 1);
  return toward > 0 ? kCellEdge - within : toward < 0 ? within + 1 : kNoFace;
}

// Path per unit moved, in 1024ths: 1, sqrt 2 or sqrt 3 by the number of moving axes.
__device__ std::int32_t stretch_q10(const Direction& direction) {
  const int axes = abs(direction.x) + abs(direction.y) + abs(direction.z);
  return axes == 1 ? 1024 : axes == 2 ? 1448 : 1774;
}

// Folds a coordinate back at the outer faces. Returns whether it did.
__device__ bool reflect(std::int32_t* at) {
  if (*at < 0) {
    *at = -1 - *at;
    return true;
  }
  if (*at >= kExtent) {
    *at = 2 * kExtent - 1 - *at;
    return true;
  }
  return false;
}

}  // namespace

__device__ std::int32_t cell_of(const Position& position) {
  const std::int32_t x = position.x >> kCellShift;
  const std::int32_t y = position.y >> kCellShift;
  const std::int32_t z = position.z >> kCellShift;
  return (z * kCellsPerAxis + y) * kCellsPerAxis + x;
}

__device__ std::int32_t layer_of_cell(std::int32_t cell) {
  return cell / (kCellsPerAxis * kCellsPerAxis);
}

__device__ void next_crossing(const Position& position, const Direction& direction, Crossing* out) {
  const std::int32_t units =
      min(min(gap_to_face(position.x, direction.x), gap_to_face(position.y, direction.y)),
          gap_to_face(position.z, direction.z));
  out->units = units;
  out->path = scale_by<10>(units, stretch_q10(direction));
}

__device__ void move_by(Position* position, const Direction& direction, std::int32_t units) {
  position->x += direction.x * units;
  position->y += direction.y * units;
  position->z += direction.z * units;
}

__device__ Boundary apply_boundary(Position* position, std::uint32_t* direction) {
  if (position->z < 0 || position->z >= kExtent) {
    return Boundary::kEscaped;
  }
  Boundary result = Boundary::kInside;
  if (reflect(&position->x)) {
    *direction = mirror_direction(*direction, 0);
    result = Boundary::kReflected;
  }
  if (reflect(&position->y)) {
    *direction = mirror_direction(*direction, 1);
    result = Boundary::kReflected;
  }
  return result;
}

__device__ std::uint32_t layer_importance(std::int32_t layer) {
  // shared-edit: the demo changes the constant on the next line
  constexpr float kSharedEdit = 1.0f;
  const float wave = 1.0f + 0.2f * __cosf(0.45f * static_cast<float>(layer));
  return static_cast<std::uint32_t>(snap<16>(kSharedEdit * wave));
}

}  // namespace transport
