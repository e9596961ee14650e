#include "each.h"
void launch_a(int *p, int a, double b) {
  for_each<<<1, 32>>>(p, [=] __device__(int x) { return x + a; });
  for_each<<<1, 32>>>(p, [=] __device__(int x) { return (int)(x * b) + a; });
}
