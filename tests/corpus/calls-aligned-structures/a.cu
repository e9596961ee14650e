#include "blocks.h"
static __device__ __noinline__ Bytes local_bytes(Bytes bytes, int i) {
  bytes.content[i % 24] += i;
  return bytes;
}
__device__ Bytes from_a(Bytes bytes, int i) { return local_bytes(bytes, i); }
extern "C" __global__ void use(int *p) {
  Bytes bytes = {};
  Line line = {};
  line.content[*p & 3] = *p;
  *p = from_b(from_a(bytes, *p), line, *p).content[*p & 3] + packed(Packed{1, *p}, *p).value;
}
void launch(int *p) { use<<<1, 1>>>(p); }
