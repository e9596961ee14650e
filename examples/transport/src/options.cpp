// SPDX-License-Identifier: Apache-2.0
#include "transport/options.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace transport {
namespace {

constexpr unsigned long kMostParticles = 1ul << 24;

bool parse_count(const char* text, std::uint32_t& count) {
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value == 0 || value > kMostParticles) {
    return false;
  }
  count = static_cast<std::uint32_t>(value);
  return true;
}

}  // namespace

bool parse_options(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--help") == 0) {
      options.help = true;
    } else if (std::strcmp(argv[i], "--particles") == 0) {
      if (i + 1 == argc || !parse_count(argv[i + 1], options.particles)) {
        std::fprintf(stderr, "transport: --particles takes a number from 1 to %lu\n",
                     kMostParticles);
        return false;
      }
      ++i;
    } else {
      std::fprintf(stderr, "transport: unknown option '%s'; try --help\n", argv[i]);
      return false;
    }
  }
  return true;
}

void print_usage() {
  std::printf(
      "usage: transport [--particles N] [--help]\n"
      "Follows N particles (default 65536) through a layered shield on the GPU and prints\n"
      "checksums of what was tallied.\n");
}

}  // namespace transport
