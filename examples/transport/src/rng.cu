// SPDX-License-Identifier: Apache-2.0
#include "transport/rng.cuh"

namespace transport {
namespace {

// Keeps the words of a fresh state apart, and never all zero.
__device__ const std::uint32_t kSalt[4] = {0x9e3779b9u, 0x7f4a7c15u, 0xf39cc060u, 0x5cedc834u};

__device__ std::uint32_t mix(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ (x >> 16);
}

__device__ std::uint32_t rotate(std::uint32_t x, int by) {
  return __funnelshift_l(x, x, by);
}

}  // namespace

__device__ RngState seed_stream(std::uint32_t seed, std::uint32_t stream) {
  RngState rng;
  std::uint32_t word = mix(seed) ^ stream;
  for (int i = 0; i < 4; ++i) {
    word = mix(word + kSalt[i]);
    rng.word[i] = word | (i == 0 ? 1u : 0u);
  }
  return rng;
}

__device__ std::uint32_t draw(RngState& rng) {
  std::uint32_t* s = rng.word;
  const std::uint32_t result = rotate(s[1] * 5, 7) * 9;
  const std::uint32_t shifted = s[1] << 9;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = rotate(s[3], 11);
  return result;
}

__device__ std::uint32_t draw_below(RngState& rng, std::uint32_t bound) {
  return __umulhi(draw(rng), bound);
}

__device__ void draw_many(RngState& rng, std::uint32_t* out, int count) {
  for (int i = 0; i < count; ++i) {
    out[i] = draw(rng);
  }
}

}  // namespace transport
