extern "C" __device__ __noinline__ __attribute__((used)) int called_by_asm(int x) {
  return x * 5;
}
__device__ int call(int x) {
  int y;
  asm volatile("{ .param .b32 a; .param .b32 r; st.param.b32 [a], %1;"
               " call (r), called_by_asm, (a); ld.param.b32 %0, [r]; }"
               : "=r"(y)
               : "r"(x));
  return y;
}
