#include "tracks.cuh"

__global__ void tally_kernel(float* sum) {
  // copts of the page: structured bindings need C++17.
  const struct { int track; float weight; } own = {static_cast<int>(threadIdx.x), 2.0f};
  const auto [track, weight] = own;
  atomicAdd(sum, weight * length_of(track));
}

int tally() {
  float* sum = nullptr;
  if (cudaMalloc(&sum, sizeof(float)) != cudaSuccess) return 0;
  tally_kernel<<<1, 32>>>(sum);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
