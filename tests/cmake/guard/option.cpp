// C++ according to its name, but CUDA according to an option that CMake does not read.
__attribute__((global)) void option_kernel(int* values) { values[0] = 3; }

int use_option() {
  option_kernel<<<1, 1>>>(nullptr);
  return 0;
}
