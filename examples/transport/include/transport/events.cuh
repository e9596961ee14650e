// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/particle.h"

namespace transport {

__device__ void note_event(Event event);

}  // namespace transport
