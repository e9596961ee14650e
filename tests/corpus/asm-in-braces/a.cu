__device__ int spin(int n) {
  int x = 0;
  asm volatile("{\n\t.reg .pred p;\nagain:\n\tadd.s32 %0, %0, 1;\n\tsetp.lt.s32 p, %0, %1;\n\t"
               "@p bra again;\n\t}"
               : "+r"(x)
               : "r"(n));
  return x;
}
__device__ unsigned lane() {
  unsigned x;
  asm("mov.u32 %0, %%laneid;" : "=r"(x));
  return x;
}
