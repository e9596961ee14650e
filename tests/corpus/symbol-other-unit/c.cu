extern __constant__ int setting;
extern __device__ int bias;
void configure(int value) {
  cudaMemcpyToSymbol(setting, &value, sizeof value);
  cudaMemcpyToSymbol(bias, &value, sizeof value);
}
