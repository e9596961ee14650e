__device__ int written = 1;
__device__ int read_back[4] = {1, 2, 3, 4};
__device__ double addressed;
__constant__ float table[3] = {0.5f, 1.5f, 2.5f};
extern "C" __global__ void use(float *p) {
  *p = table[written] + addressed;
  read_back[threadIdx.x & 3] = *p;
}
void run(float *p) {
  int one = 1;
  cudaMemcpyToSymbol(written, &one, sizeof one);
  cudaMemcpyToSymbol(table, p, sizeof table);
  use<<<1, 4>>>(p);
  int values[4];
  cudaMemcpyFromSymbol(values, read_back, sizeof values);
  void *address;
  cudaGetSymbolAddress(&address, addressed);
}
