// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace transport {

// Lengths are integers: a cell edge is 256 length units, the world is a cube of 16 cells a side.
// Integer state is what makes a run bit-for-bit the same under every compiler and optimizer.
constexpr int kCellShift = 8;
constexpr int kCellEdge = 1 << kCellShift;
constexpr int kCellsPerAxis = 16;
constexpr int kExtent = kCellsPerAxis * kCellEdge;
constexpr int kCellCount = kCellsPerAxis * kCellsPerAxis * kCellsPerAxis;

constexpr int kLayerCount = kCellsPerAxis;  // layers are stacked along z
constexpr int kMaterialCount = 4;
constexpr int kGroupCount = 8;  // energy groups; 0 is the fastest
constexpr int kDirectionCount = 26;
constexpr int kEventCount = 8;
constexpr int kFilterCount = 3;

// Statistical weights are 16.16 fixed point.
constexpr std::uint32_t kUnitWeight = 1u << 16;

constexpr int kStepCount = 24;
constexpr int kMaxSegments = 48;
constexpr int kBlockSize = 128;

}  // namespace transport
