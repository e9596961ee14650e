// The test compiles this unit with nvcc to an object whose device code is complete.
__global__ void fill_by_vendor(int* values) { values[threadIdx.x] = 7; }

int launch_of_vendor(int* values) {
  fill_by_vendor<<<1, 32>>>(values);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
