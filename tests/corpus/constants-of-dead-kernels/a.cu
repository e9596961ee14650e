__constant__ int first[6000];
extern "C" __global__ void live(int *p, int i) { *p = first[i]; }
void run(int *p, int *values) {
  cudaMemcpyToSymbol(first, values, sizeof first);
  live<<<1, 1>>>(p, 3);
}
