// SPDX-License-Identifier: Apache-2.0
#include "transport/cuda_check.h"
#include "transport/fold_kernel.cuh"
#include "transport/launch.h"

namespace transport {
namespace {

// Turns a response into dose, layer by layer. It calls no other unit.
__global__ void scale_dose(Count* dose) {
  dose[threadIdx.x] = (dose[threadIdx.x] * (160 + 3 * threadIdx.x)) >> 8;
}

}  // namespace

// Also launches the fast detector's kernel, so this unit has a copy of it.
void launch_dose(TrackView tracks, Count* dose) {
  fold_response<FastResponse><<<kLayerCount, kBlockSize>>>(tracks, dose);
  TRANSPORT_CHECK(cudaGetLastError());
  scale_dose<<<1, kLayerCount>>>(dose);
  TRANSPORT_CHECK(cudaGetLastError());
}

}  // namespace transport
