// SPDX-License-Identifier: Apache-2.0
#include "transport/report.h"

#include <cstddef>
#include <cstdio>

namespace transport {
namespace {

// FNV-1a over the bytes of each value, lowest first.
unsigned long long checksum(const Count* values, std::size_t size) {
  unsigned long long hash = 0xcbf29ce484222325ull;
  for (std::size_t i = 0; i < size; ++i) {
    for (int shift = 0; shift < 64; shift += 8) {
      hash = (hash ^ ((values[i] >> shift) & 0xff)) * 0x100000001b3ull;
    }
  }
  return hash;
}

template <std::size_t kSize>
void print_checksum(const char* name, const Count (&values)[kSize]) {
  std::printf("checksum %s %016llx\n", name, checksum(values, kSize));
}

}  // namespace

void print_report(const Results& results) {
  static const char* const kEventNames[kEventCount] = {
      "births",     "escapes",  "reflections",    "elastic",
      "inelastic",  "captures", "roulette kills", "lost",
  };
  for (int i = 0; i < kEventCount; ++i) {
    std::printf("%-14s %llu\n", kEventNames[i], results.events[i]);
  }
  std::printf("%-14s %llu\n", "survivors", results.survivors);
  print_checksum("flux", results.flux.weighted);
  print_checksum("spectrum", results.spectrum);
  print_checksum("filtered", results.filtered);
  print_checksum("thermal", results.thermal);
  print_checksum("fast", results.fast);
  print_checksum("dose", results.dose);
  print_checksum("events", results.events);
}

}  // namespace transport
