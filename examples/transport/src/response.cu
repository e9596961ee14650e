// SPDX-License-Identifier: Apache-2.0
#include "transport/response.cuh"

#include "transport/fixed.cuh"
#include "transport/tables.cuh"

namespace transport {

__device__ std::int32_t optical_depth_q5(std::uint32_t quantile) {
  return snap<32>(-logf((static_cast<float>(quantile) + 0.5f) * (1.0f / 64.0f)));
}

__device__ std::int32_t attenuation_q7(std::uint32_t group, std::int32_t layer) {
  const float density = static_cast<float>(material_table[layer_material[layer]].density_q8);
  const float depth = density * (1.0f / 256.0f) * (1.0f + 0.35f * static_cast<float>(group));
  return snap<128>(expf(-0.3f * depth));
}

__device__ std::int32_t efficiency_q8(std::uint32_t group) {
  return snap<256>(powf(0.35f + 0.1f * static_cast<float>(group), 1.7f));
}

__device__ std::int32_t angular_q6(std::uint32_t angle, std::uint32_t tilt) {
  const float phase = 0.32f * static_cast<float>(angle) + 0.16f * static_cast<float>(tilt);
  return snap<64>(0.5f + 0.5f * sinf(phase));
}

__device__ std::int32_t diffusion_q4(std::uint32_t material) {
  return snap<16>(sqrtf(static_cast<float>(material_table[material].density_q8)));
}

}  // namespace transport
