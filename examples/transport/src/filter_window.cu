// SPDX-License-Identifier: Apache-2.0
#include "transport/filter.cuh"

namespace transport {

__device__ void load_window(const Count* spectrum, std::uint32_t group, FilterWindow* window) {
  window->before = spectrum[group == 0 ? 0 : group - 1];
  window->here = spectrum[group];
  window->after = spectrum[group == kGroupCount - 1 ? group : group + 1];
}

// Takes the smallest of the three off all of them, and returns it.
__device__ Count normalize_window(FilterWindow* window) {
  const Count lowest = min(min(window->before, window->here), window->after);
  window->before -= lowest;
  window->here -= lowest;
  window->after -= lowest;
  return lowest;
}

}  // namespace transport
