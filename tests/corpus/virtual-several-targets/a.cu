#include "shape.h"
extern "C" __global__ void use(int *p) {
  long place[4];
  Shape *shape = *p & 4 ? make_b(place, *p) : make_c(place, *p);
  *p = shape->area(*p) + shape->edges();
}
void launch(int *p) { use<<<1, 1>>>(p); }
