#include "diamond.h"
extern "C" __global__ void use(int *p) {
  Bottom bottom;
  Base *base = &bottom;
  *p = base->f(*p) + through_right(&bottom, *p);
}
void launch(int *p) { use<<<1, 1>>>(p); }
