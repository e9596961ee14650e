__device__ void store_shared(int *p, int x) {
  unsigned long generic = (unsigned long)p, address;
  asm volatile("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(generic));
  asm volatile("st.shared.u32 [%0], %1;" ::"l"(address), "r"(x) : "memory");
}
