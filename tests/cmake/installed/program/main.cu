// The counterpart of the package's main.cu, with a kernel that calls into the package.
static __device__ int state;

__device__ float area(float side);

__global__ void own_kernel(float* values);

void run_own() {
  int value = 1;
  cudaMemcpyToSymbol(state, &value, sizeof(value));
  own_kernel<<<1, 1>>>(nullptr);
}

__global__ void own_kernel(float* values) { values[0] = area(values[0]) + state; }
