// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "transport/views.h"

namespace transport {

struct Results {
  LayerFlux flux;
  Count spectrum[kGroupCount];
  Count filtered[kFilterCount * kGroupCount];
  Count thermal[kLayerCount];
  Count fast[kLayerCount];
  Count dose[kLayerCount];
  Count events[kEventCount];
  Count survivors;
};

Results simulate(std::uint32_t particle_count);

}  // namespace transport
