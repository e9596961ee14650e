__device__ unsigned total;
__device__ void add(unsigned *shared_counter, unsigned x);
extern "C" __global__ void count(unsigned *p) {
  __shared__ unsigned counter;
  if (threadIdx.x == 0)
    counter = 0;
  __syncthreads();
  add(&counter, p[threadIdx.x]);
  __syncthreads();
  if (atomicCAS(&counter, 0u, 1u) != 0)
    atomicAdd(&total, counter);
  *p = atomicExch(p, total);
}
unsigned run(unsigned *p) {
  count<<<2, 64>>>(p);
  unsigned result;
  cudaMemcpyFromSymbol(&result, total, sizeof result);
  return result;
}
