__global__ void library_kernel(int* values) { values[0] = 2; }

int use_library() {
  library_kernel<<<1, 1>>>(nullptr);
  return 0;
}
