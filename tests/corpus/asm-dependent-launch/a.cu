#include "dependent.h"
extern "C" __global__ void first(int *p) {
  *p = prepare(*p);
  trigger();
}
extern "C" __global__ void second(int *p) {
  int own = prepare(2);
  wait();
  *p = result * own;
}
void launch(int *p) {
  first<<<1, 1>>>(p);
  second<<<1, 1>>>(p);
}
