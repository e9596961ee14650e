// SPDX-License-Identifier: Apache-2.0
#include "transport/filter.cuh"
#include "transport/response.cuh"

namespace transport {

__device__ Count edge_filter(const FilterWindow& window, std::uint32_t group) {
  const Count slope = window.after > window.before ? window.after - window.before
                                                   : window.before - window.after;
  return slope * static_cast<Count>(diffusion_q4(group % kMaterialCount)) >> 4;
}

__device__ Count threshold_filter(const FilterWindow& window, std::uint32_t group) {
  return window.here > (window.before >> 1) + group ? window.here : 0;
}

}  // namespace transport
