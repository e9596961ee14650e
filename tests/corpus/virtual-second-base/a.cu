#include "parts.h"
extern "C" __global__ void use(int *p) {
  long place[6];
  Second *second = make(place, *p);
  *p = second->other(*p) + second->get(*p + 1);
}
void launch(int *p) { use<<<1, 1>>>(p); }
