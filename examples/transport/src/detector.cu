// SPDX-License-Identifier: Apache-2.0
#include "transport/cuda_check.h"
#include "transport/fold_kernel.cuh"
#include "transport/launch.h"

namespace transport {

void launch_thermal_response(TrackView tracks, Count* response) {
  fold_response<ThermalResponse><<<kLayerCount, kBlockSize>>>(tracks, response);
  TRANSPORT_CHECK(cudaGetLastError());
}

void launch_fast_response(TrackView tracks, Count* response) {
  fold_response<FastResponse><<<kLayerCount, kBlockSize>>>(tracks, response);
  TRANSPORT_CHECK(cudaGetLastError());
}

}  // namespace transport
