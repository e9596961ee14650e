#include "launch.h"
extern "C" __global__ void fill(int *p) { *p = 1; }
extern "C" __global__ void clear(int *p) { *p = 0; }
void launch_a(int *p) {
  run<fill>(p);
  run_value(clear, p);
}
