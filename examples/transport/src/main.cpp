// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <cuda_runtime_api.h>

#include "transport/options.h"
#include "transport/report.h"
#include "transport/simulation.h"

int main(int argc, char** argv) {
  transport::Options options;
  if (!transport::parse_options(argc, argv, options)) {
    return 1;
  }
  if (options.help) {
    transport::print_usage();
    return 0;
  }

  // A machine without a GPU can still build, link and start the program.
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    std::printf("transport: no CUDA device here (%s); nothing was run\n",
                status != cudaSuccess ? cudaGetErrorString(status) : "none found");
    return 0;
  }

  transport::print_report(transport::simulate(options.particles));
  return 0;
}
