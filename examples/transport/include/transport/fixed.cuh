// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace transport {

// The one way from floating point to the integer state. Callers evaluate a float expression over a
// small, finite set of arguments, chosen so that each result stays at least 1e-4 of itself away
// from where this coarse grid rounds the other way: neither contraction nor approximate functions
// nor another optimizer can change the integer.
template <int kScale>
__device__ std::int32_t snap(float value) {
  return __float2int_rn(value * static_cast<float>(kScale));
}

// Product of a number with a fraction of kBits bits.
template <int kBits, class T>
__device__ T scale_by(T value, T fraction) {
  return (value * fraction) >> kBits;
}

// Running sums, largest and position of it, for short arrays that live in registers once inlined.
template <class T, int kSize>
__device__ T sum_of(const T (&values)[kSize]) {
  T total = 0;
  for (int i = 0; i < kSize; ++i) {
    total += values[i];
  }
  return total;
}

template <class T, int kSize>
__device__ int index_of_largest(const T (&values)[kSize]) {
  int best = 0;
  for (int i = 1; i < kSize; ++i) {
    if (values[i] > values[best]) {
      best = i;
    }
  }
  return best;
}

}  // namespace transport
