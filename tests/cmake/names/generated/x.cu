#define NAME written
#include "unit.cuh"

__device__ int called_folder(int value);
__device__ int called_underscore(int value);
__device__ int called_built(int value);

__global__ void all(int* values) {
  *values += called_folder(1) + called_underscore(2) + called_built(3) + called_written(4);
}

int launch_all() {
  all<<<1, 1>>>(nullptr);
  return 0;
}
