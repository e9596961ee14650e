// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace transport {

struct Options {
  std::uint32_t particles = 1u << 16;
  bool help = false;
};

// Returns false, after a message on stderr, when the command line makes no sense.
bool parse_options(int argc, char** argv, Options& options);
void print_usage();

}  // namespace transport
