// SPDX-License-Identifier: Apache-2.0
#include "transport/guard.cuh"

#include <cstdio>

namespace transport {
namespace {

__device__ unsigned reports_made;
constexpr unsigned kReportLimit = 8;

__device__ bool outside(std::int32_t at) {
  return at < 0 || at >= kExtent;
}

}  // namespace

__device__ const char* fault_of(const Particle& particle) {
  const Position& position = particle.position;
  if (outside(position.x) || outside(position.y) || outside(position.z)) {
    return "outside of the world";
  }
  return particle.group < kGroupCount ? nullptr : "in an unknown energy group";
}

__device__ __noinline__ void report_lost(const char* fault, std::int32_t x, std::int32_t y,
                                         std::int32_t z) {
  if (atomicAdd(&reports_made, 1u) < kReportLimit) {
    printf("lost a particle %s: at %d %d %d\n", fault, x, y, z);
  }
}

}  // namespace transport
