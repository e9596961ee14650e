extern "C" __global__ void by_address(int *p) { *p = 1; }
extern "C" __global__ void by_config(int *p) { *p = 2; }
extern "C" __global__ void by_nobody(int *p) { *p = 3; }
void launch(int *p) {
  void *arguments[] = {&p};
  cudaLaunchKernel((const void *)by_address, dim3(1), dim3(1), arguments, 0, 0);
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = dim3(1);
  cudaLaunchKernelExC(&config, (const void *)&by_config, arguments);
}
