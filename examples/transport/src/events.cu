// SPDX-License-Identifier: Apache-2.0
#include "transport/events.cuh"

#include "transport/cuda_check.h"
#include "transport/launch.h"

namespace transport {

// Internal, yet read by the host below and reached from every unit through note_event().
static __device__ Count event_counts[kEventCount];

__device__ void note_event(Event event) {
  atomicAdd(&event_counts[static_cast<std::uint32_t>(event)], Count{1});
}

void reset_events() {
  const Count zero[kEventCount] = {};
  TRANSPORT_CHECK(cudaMemcpyToSymbol(event_counts, zero, sizeof zero));
}

void read_events(Count (&counts)[kEventCount]) {
  TRANSPORT_CHECK(cudaMemcpyFromSymbol(counts, event_counts, sizeof counts));
}

}  // namespace transport
