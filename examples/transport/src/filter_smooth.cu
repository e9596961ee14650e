// SPDX-License-Identifier: Apache-2.0
#include "transport/filter.cuh"
#include "transport/response.cuh"

namespace transport {

__device__ Count smooth_filter(const FilterWindow& window, std::uint32_t group) {
  const auto keep = static_cast<Count>(efficiency_q8(group));
  return ((window.before + window.after) * 64 + window.here * keep) >> 8;
}

}  // namespace transport
