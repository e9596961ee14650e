// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/particle.h"

namespace transport {

// Float physics, each evaluated over a small finite domain and snapped to a coarse integer grid.
__device__ std::int32_t optical_depth_q5(std::uint32_t quantile);  // quantile < 64
__device__ std::int32_t attenuation_q7(std::uint32_t group, std::int32_t layer);
__device__ std::int32_t efficiency_q8(std::uint32_t group);
__device__ std::int32_t angular_q6(std::uint32_t angle, std::uint32_t tilt);
__device__ std::int32_t diffusion_q4(std::uint32_t material);

struct ResponseTerms {
  std::int32_t attenuation;
  std::int32_t efficiency;
  std::int32_t angular;
};

__device__ void response_terms(std::uint32_t group, std::int32_t layer, ResponseTerms* terms);

}  // namespace transport
