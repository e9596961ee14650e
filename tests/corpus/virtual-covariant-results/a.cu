#include "shapes.h"
extern "C" __global__ void use(int *p) {
  long place[8];
  *p = shape(place, *p)->self(*p)->count();
}
void launch(int *p) { use<<<1, 1>>>(p); }
