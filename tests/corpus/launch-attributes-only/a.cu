extern "C" __global__ void limited(int *p) { *p = 1; }
extern "C" __global__ void asked(int *p) { *p = 2; }
extern "C" __global__ void occupied(int *p) { *p = 3; }
extern "C" __global__ void preferred(int *p) { *p = 4; }
extern "C" __global__ void ignored(int *p) { *p = 5; }
int look() {
  cudaFuncSetAttribute(limited, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, asked);
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, occupied, 128, 0);
  cudaFuncSetCacheConfig((const void *)preferred, cudaFuncCachePreferL1);
  return blocks + attributes.numRegs;
}
