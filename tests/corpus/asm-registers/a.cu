__device__ int twice(int x) {
  int y;
  asm(".reg .s32 doubled;\n\tadd.s32 doubled, %1, %1;\n\tmov.b32 %0, doubled;"
      : "=r"(y)
      : "r"(x));
  return y;
}
