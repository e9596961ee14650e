// The program, which has a kernel that nothing in it launches.
__global__ void own_kernel(int* values) { values[0] = 1; }

__global__ void spare_kernel(int* values) { values[0] = 2; }

int use_library();

int main() {
  own_kernel<<<1, 1>>>(nullptr);
  return use_library();
}
