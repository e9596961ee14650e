// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/fixed.cuh"
#include "transport/geometry.cuh"
#include "transport/reduce.cuh"
#include "transport/response.cuh"
#include "transport/tracks.cuh"

namespace transport {

struct ThermalResponse {
  static constexpr std::uint32_t kFirstGroup = kGroupCount / 2;
  __device__ static std::uint32_t weight(const ResponseTerms& terms) {
    return static_cast<std::uint32_t>(
        scale_by<7>(terms.efficiency, terms.attenuation) + terms.angular);
  }
};

struct FastResponse {
  static constexpr std::uint32_t kFirstGroup = 0;
  __device__ static std::uint32_t weight(const ResponseTerms& terms) {
    return static_cast<std::uint32_t>(terms.attenuation + 2 * terms.angular);
  }
};

// One block per layer: folds the tracks of half of the groups with a detector's response.
// A template, so that each detector gets its own kernel; units that launch the same one each emit
// it, and the linker keeps one.
template <class Response>
__global__ void fold_response(TrackView tracks, Count* response) {
  constexpr int kHalf = kGroupCount / 2;
  const auto layer = static_cast<std::int32_t>(blockIdx.x);
  Count weights[kHalf];
  for (int i = 0; i < kHalf; ++i) {
    ResponseTerms terms;
    response_terms(Response::kFirstGroup + i, layer, &terms);
    weights[i] = Response::weight(terms);
  }

  Count folded = 0;
  for (std::int32_t cell = static_cast<std::int32_t>(threadIdx.x); cell < kCellCount;
       cell += kBlockSize) {
    if (layer_of_cell(cell) != layer) {
      continue;
    }
    Count lengths[kGroupCount];
    load_cell(tracks, cell, lengths);
    for (int i = 0; i < kHalf; ++i) {
      folded += lengths[Response::kFirstGroup + i] * weights[i];
    }
  }

  const Count total = block_sum(folded);
  if (threadIdx.x == 0) {
    response[layer] = total;
  }
}

}  // namespace transport
