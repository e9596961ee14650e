#include "check.h"
static __device__ int own(int x) {
  check(x < 100);
  check(x != 50);
  return x * 2;
}
__device__ int from_b(int x) {
  printf("%s: %d\n", __func__, x);
  return own(x) + checked(x + 1);
}
