// A source of the same path as one of the program, with a local variable of the same name. Both
// have to be in the image. The host's use of the variable comes first, because clang 22 gives a
// local variable a second name if a kernel uses it before.
static __device__ int state;

__global__ void package_kernel(int* values);

void start() {
  int value = 1;
  cudaMemcpyToSymbol(state, &value, sizeof(value));
  package_kernel<<<1, 1>>>(nullptr);
}

__global__ void package_kernel(int* values) { values[0] = state; }

__global__ void unused_kernel(int* values) { values[0] = 2; }
