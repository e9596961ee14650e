// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/particle.h"

namespace transport {

struct Crossing {
  std::int32_t units;  // moves along each moving axis until the next cell face is passed
  std::int32_t path;   // the same as a length of path
};

enum class Boundary : std::uint32_t { kInside, kReflected, kEscaped };

__device__ std::int32_t cell_of(const Position& position);
__device__ std::int32_t layer_of_cell(std::int32_t cell);
__device__ void next_crossing(const Position& position, const Direction& direction, Crossing* out);
__device__ void move_by(Position* position, const Direction& direction, std::int32_t units);
__device__ Boundary apply_boundary(Position* position, std::uint32_t* direction);

// How much a particle in this layer matters to the detectors, in sixteenths.
__device__ std::uint32_t layer_importance(std::int32_t layer);

}  // namespace transport
