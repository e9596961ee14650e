int launch_of_vendor(int* values);

__global__ void fill(int* values) { values[threadIdx.x] = 8; }

int main() {
  int* values = nullptr;
  if (cudaMalloc(&values, 32 * sizeof(int)) != cudaSuccess) return 0;
  fill<<<1, 32>>>(values);
  return launch_of_vendor(values);
}
