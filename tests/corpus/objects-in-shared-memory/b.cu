#include "stage.h"
static __device__ int destroyed;
__device__ int Stage::run(int x) { return x * scale; }
__device__ Stage::~Stage() { ++destroyed; }
__device__ void operator delete(void *, size_t) noexcept {}
__device__ int run_all(Stage *const *stages, int count, int x) {
  for (int i = 0; i < count; ++i)
    x = stages[i]->run(x);
  return x;
}
