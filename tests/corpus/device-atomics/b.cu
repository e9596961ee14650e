extern __device__ unsigned total;
__device__ void add(unsigned *shared_counter, unsigned x) {
  atomicMax(shared_counter, x);
  __threadfence();
  atomicAdd_block(shared_counter, x);
  __threadfence_block();
  atomicInc(&total, 1000);
}
