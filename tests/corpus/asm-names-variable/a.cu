extern "C" {
__device__ int only_in_asm = 3;
__device__ int host_visible = 4;
__device__ int written_in_asm = 5;
}
__device__ int read_by_name() {
  int x;
  asm volatile("ld.global.u32 %0, [only_in_asm];" : "=r"(x));
  return x + host_visible;
}
__device__ int write_by_name(int x) {
  asm volatile("st.global.u32 [written_in_asm], %0;" ::"r"(x) : "memory");
  return written_in_asm;
}
void set(int x) { cudaMemcpyToSymbol(host_visible, &x, sizeof x); }
