// SPDX-License-Identifier: Apache-2.0
#include "transport/cuda_check.h"
#include "transport/fixed.cuh"
#include "transport/geometry.cuh"
#include "transport/launch.h"
#include "transport/tracks.cuh"

namespace transport {

// Sums the tracks of each layer, weighted with the layer's importance and a thinning with depth.
// A block gathers in shared memory first, so that few atomics reach global memory.
__global__ void tally_flux(TrackView tracks, LayerFlux* flux) {
  extern __shared__ Count layer_bins[];
  for (int layer = threadIdx.x; layer < kLayerCount; layer += kBlockSize) {
    layer_bins[layer] = 0;
  }
  __syncthreads();

  const auto cell = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
  if (cell < kCellCount) {
    Count lengths[kGroupCount];
    load_cell(tracks, cell, lengths);
    const std::int32_t layer = layer_of_cell(cell);
    atomicAdd(&layer_bins[layer], sum_of(lengths) * layer_importance(layer));
  }
  __syncthreads();

  for (int layer = threadIdx.x; layer < kLayerCount; layer += kBlockSize) {
    // private-edit: the demo changes the constant on the next line
    constexpr float kPrivateEdit = 1.0f;
    const float thinning = 1.0f - 0.03f * static_cast<float>(layer);
    const auto weight = static_cast<Count>(snap<32>(kPrivateEdit * thinning));
    atomicAdd(&flux->weighted[layer], layer_bins[layer] * weight);
  }
}

void launch_tally(TrackView tracks, LayerFlux* flux) {
  constexpr unsigned kBlocks = (kCellCount + kBlockSize - 1) / kBlockSize;
  tally_flux<<<kBlocks, kBlockSize, kLayerCount * sizeof(Count)>>>(tracks, flux);
  TRANSPORT_CHECK(cudaGetLastError());
}

}  // namespace transport
