// SPDX-License-Identifier: Apache-2.0
#include "transport/cuda_check.h"
#include "transport/filter.cuh"
#include "transport/launch.h"
#include "transport/reduce.cuh"

namespace transport {

// One thread per (filter, group).
__global__ void apply_filters(const Count* spectrum, Count* filtered) {
  const std::uint32_t filter = threadIdx.x / kGroupCount;
  const std::uint32_t group = threadIdx.x % kGroupCount;
  FilterWindow window;
  load_window(spectrum, group, &window);
  const Count offset = normalize_window(&window);
  Extremes extremes = {window.here, window.here};
  widen(&extremes, window.before);
  widen(&extremes, window.after);
  const Count value = filter_table[filter](window, group);
  filtered[threadIdx.x] = value + offset + (extremes.largest - extremes.smallest);
}

void launch_filters(const Count* spectrum, Count* filtered) {
  apply_filters<<<1, kFilterCount * kGroupCount>>>(spectrum, filtered);
  TRANSPORT_CHECK(cudaGetLastError());
}

}  // namespace transport
