#include "blocks.h"
static __device__ __noinline__ int local_sum(Bytes bytes, Line line) {
  int sum = 0;
  for (int i = 0; i < 24; ++i)
    sum += bytes.content[i] * line.content[i & 3];
  return sum;
}
__device__ Line from_b(Bytes bytes, Line line, int i) {
  line.content[i & 3] = local_sum(from_a(bytes, i), line);
  return line;
}
__device__ Packed packed(Packed pair, int i) {
  pair.value += i;
  return pair;
}
