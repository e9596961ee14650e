#include "tree.h"
__device__ Root::Root() { sum = ask(this); }
__device__ Right::Right() { sum += ask(this) + right(sum); }
extern "C" __global__ void use(int *p) {
  Top top;
  *p = ask(&top) + top.right(*p);
}
void launch(int *p) { use<<<1, 1>>>(p); }
