__device__ int scaled(int value);
__global__ void advance(int *values) { values[threadIdx.x] = scaled(values[threadIdx.x]); }

int main() {
  advance<<<1, 32>>>(nullptr);
  return 0;
}
