// SPDX-License-Identifier: Apache-2.0
#include "transport/cuda_check.h"

#include <cstdio>
#include <cstdlib>

namespace transport {

void check_cuda(cudaError_t status, const char* call, const char* file, int line) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "transport: %s:%d: %s: %s\n", file, line, call,
                 cudaGetErrorString(status));
    std::exit(1);
  }
}

}  // namespace transport
