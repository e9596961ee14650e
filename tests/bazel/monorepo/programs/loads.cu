extern "C" int shared_works();

__global__ void own(int* value) { *value = 1; }

int main() {
  int* value = nullptr;
  if (cudaMalloc(&value, sizeof(int)) == cudaSuccess) {
    own<<<1, 1>>>(value);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  }
  return shared_works() ? 0 : 1;
}
