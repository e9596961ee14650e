// SPDX-License-Identifier: Apache-2.0
#include "transport/filter.cuh"

namespace transport {

__device__ Filter filter_table[kFilterCount] = {smooth_filter, edge_filter, threshold_filter};

}  // namespace transport
