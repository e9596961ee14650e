#include "tile.h"
__device__ Halves load(const unsigned *rows, int i) {
  unsigned place = (unsigned long)(__attribute__((address_space(3))) const unsigned *)rows;
  Halves halves;
  unsigned *bits = halves.bits;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(bits[0]), "=r"(bits[1]), "=r"(bits[2]), "=r"(bits[3])
               : "r"(place + (threadIdx_x & 7) * 16 + i * 16)
               : "memory");
  return halves;
}
__device__ Fragment multiply(Halves a, Halves b, Fragment sum) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum.values[0]), "+f"(sum.values[1]), "+f"(sum.values[2]), "+f"(sum.values[3])
      : "r"(a.bits[0]), "r"(a.bits[1]), "r"(a.bits[2]), "r"(a.bits[3]), "r"(b.bits[0]),
        "r"(b.bits[1]));
  return sum;
}
