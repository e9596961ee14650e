#include "layout.h"
extern "C" __global__ void use(int *p) { *p = thrifty.tail + wasteful.tail + swap(thrifty).tail; }
extern "C" __global__ void by_value(Thrifty one, char between, Wasteful other, int *p) {
  *p = one.tail + between + other.tail;
}
void launch(int *p) {
  use<<<1, 1>>>(p);
  by_value<<<1, 1>>>(Thrifty{}, 'x', Wasteful{}, p);
}
