// SPDX-License-Identifier: Apache-2.0
#include "transport/response.cuh"

namespace transport {

__device__ void response_terms(std::uint32_t group, std::int32_t layer, ResponseTerms* terms) {
  terms->attenuation = attenuation_q7(group, layer);
  terms->efficiency = efficiency_q8(group);
  terms->angular = angular_q6(static_cast<std::uint32_t>(layer), group);
}

}  // namespace transport
