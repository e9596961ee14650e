__device__ char heap[4096];
__device__ unsigned used, freed;
__device__ void *operator new(size_t size) {
  return heap + __nvvm_atom_add_gen_i((int *)&used, size);
}
__device__ void *operator new[](size_t size) { return operator new(size); }
__device__ void operator delete(void *place) noexcept { ++freed; }
__device__ void operator delete(void *place, size_t size) noexcept { operator delete(place); }
__device__ void operator delete[](void *place) noexcept { ++freed; }
void watch(unsigned *p) { cudaMemcpyFromSymbol(p, freed, sizeof freed); }
