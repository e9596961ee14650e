// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace transport {

// Prints the failed call with its place and ends the program with status 1.
void check_cuda(cudaError_t status, const char* call, const char* file, int line);

}  // namespace transport

#define TRANSPORT_CHECK(call) ::transport::check_cuda((call), #call, __FILE__, __LINE__)
