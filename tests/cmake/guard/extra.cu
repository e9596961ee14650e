// A member of a static library that nothing in the program needs.
__global__ void extra_kernel(int* values) { values[0] = 3; }

int use_extra() {
  extra_kernel<<<1, 1>>>(nullptr);
  return 0;
}
