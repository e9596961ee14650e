#include "each.h"
struct Weights {
  float values[20];
};
void launch_b(int *p, Weights weights) {
  for_each<<<1, 32>>>(p, [=] __device__(int x) { return (int)weights.values[x % 20]; });
  for_each<<<1, 32>>>(p, [] __device__(int x) { return -x; });
}
