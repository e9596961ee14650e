static __device__ int limits[2] = {1, 2};
static __constant__ float weights[3];
extern "C" __global__ void use_a(float *p);
// clang 22 gives device code that stands before the host's reference another name of the variable.
void run_a(float *p) {
  cudaMemcpyToSymbol(limits, p, sizeof limits);
  cudaMemcpyToSymbol(weights, p, sizeof weights);
  use_a<<<1, 1>>>(p);
}
extern "C" __global__ void use_a(float *p) { *p = limits[1] * weights[*(int *)p]; }
