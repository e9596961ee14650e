#include "launch.h"
extern "C" __global__ void fill(int *p);
extern "C" __global__ void scale(int *p) { *p *= 2; }
void launch_b(int *p) {
  run<fill>(p);
  run<scale>(p);
}
