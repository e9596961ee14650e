#include "object.h"
__device__ Method methods[3] = {&Object::plain, &Object::dynamic, &Object::other};
__device__ int Object::*const member = &Object::b;
extern "C" __global__ void use(int *p) {
  Object object;
  *p = (object.*methods[*p % 3])(*p) + object.*member;
}
void launch(int *p) {
  use<<<1, 1>>>(p);
  cudaMemcpyFromSymbol(p, methods, sizeof methods);
}
