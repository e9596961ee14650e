#include "library.h"
extern "C" {
static __device__ int copies = 1;
__device__ void *memcpy(void *to, const void *from, size_t size) {
  ++copies;
  for (size_t i = 0; i < size; ++i)
    ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}
__device__ size_t strlen(const char *text) { return copies + !text; }
__device__ float sqrtf(float x) { return x * copies; }
__device__ int abs(int x) { return x - 1; }
}
__device__ void fill(Text &text, char with) {
  for (char &c : text.content)
    c = with;
}
