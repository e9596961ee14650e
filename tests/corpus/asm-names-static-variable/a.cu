static __device__ int hidden_state __attribute__((used)) = 6;
__device__ int read_hidden() {
  int x;
  asm volatile("ld.global.u32 %0, [_ZL12hidden_state];" : "=r"(x));
  return x;
}
