#include "nvshmem.cuh"

__global__ void gather(float* destination, const float* source, int count) {
  const int pes = nvshmem_n_pes();
  for (int distance = blockIdx.x; distance < pes; distance += gridDim.x) {
    const int pe = neighbor(distance);
    nvshmemx_getmem_block(destination + pe * count, source, count * sizeof(float), pe);
  }
}

void launch_gather(float* destination, const float* source, int count) {
  gather<<<8, 128>>>(destination, source, count);
}
