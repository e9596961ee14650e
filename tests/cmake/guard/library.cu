// A library with a kernel and a variable.
__device__ int library_variable;

__global__ void library_kernel(int* values) { values[0] = library_variable; }

int use_library() {
  int value = 1;
  cudaMemcpyToSymbol(library_variable, &value, sizeof(value));
  library_kernel<<<1, 1>>>(nullptr);
  return 0;
}
