// The kernel calls NVIDIA's device runtime, as kernels that launch others do.
__global__ void kernel(int *error) { *error = cudaGetLastError(); }

int main() {
  kernel<<<1, 1>>>(nullptr);
  return 0;
}
