#include "stencil.h"
extern "C" __global__ void use(int *p) {
  const Stencil *stencil = address<Stencil{{1, 2, 1}, 2}>();
  *p = apply<Stencil{{1, 2, 1}, 2}>(*p) + (stencil == of_b()) + stencil->weights[*p % 3];
}
template <Stencil S> __global__ void smooth(int *p) { *p = apply<S>(*p); }
void launch(int *p) {
  use<<<1, 1>>>(p);
  smooth<Stencil{{0, 5, 0}, 0}><<<1, 1>>>(p);
}
