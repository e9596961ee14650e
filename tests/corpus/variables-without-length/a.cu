#include "message.h"
__device__ Tail own_tail = {{7}, 2, {4, 5}};
extern "C" __global__ void use(int *p) {
  const Tail &tail = *p & 1 ? own_tail : tail_of_b();
  *p = greeting().text[*p % greeting().length] + (&nothing[0] == &nothing_too[0]) + *after(tail) +
       tail.numbers[*p & 1];
}
void launch(int *p) {
  use<<<1, 1>>>(p);
  cudaMemcpyFromSymbol(p, own_tail, sizeof own_tail);
}
