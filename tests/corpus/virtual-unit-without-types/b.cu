#include "animal.h"
struct Spider : Animal {
  __device__ int legs(int x) const override { return 8 * x; }
};
__device__ const Spider spider;
__device__ const Animal *other(int x) { return &spider; }
