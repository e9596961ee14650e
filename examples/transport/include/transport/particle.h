// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "transport/constants.h"

namespace transport {

template <class T>
struct Vec3 {
  T x, y, z;
};

using Position = Vec3<std::int32_t>;
using Direction = Vec3<std::int32_t>;  // every component is -1, 0 or 1

struct RngState {
  std::uint32_t word[4];
};

enum class Status : std::uint32_t { kDead, kAlive };

struct Particle {
  Position position;
  std::uint32_t direction;  // index into direction_table
  std::uint32_t group;
  std::uint32_t weight;
  Status status;
  RngState rng;
};

enum class Event : std::uint32_t {
  kBirth,
  kEscape,
  kReflection,
  kElastic,
  kInelastic,
  kCapture,
  kRouletteKill,
  kLost,
};

}  // namespace transport
