// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/views.h"

namespace transport {

struct FilterWindow {
  Count before;
  Count here;
  Count after;
};

using Filter = Count (*)(const FilterWindow& window, std::uint32_t group);

__device__ Count smooth_filter(const FilterWindow& window, std::uint32_t group);
__device__ Count edge_filter(const FilterWindow& window, std::uint32_t group);
__device__ Count threshold_filter(const FilterWindow& window, std::uint32_t group);

// Defined in filter_table.cu: addresses of functions of three other units.
extern __device__ Filter filter_table[kFilterCount];

__device__ void load_window(const Count* spectrum, std::uint32_t group, FilterWindow* window);
__device__ Count normalize_window(FilterWindow* window);

}  // namespace transport
