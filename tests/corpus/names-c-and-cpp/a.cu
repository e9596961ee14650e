#include "both.h"
namespace {
__device__ int both(long x) { return x + 2; }
} // namespace
extern "C" __device__ int both(int x) { return x + 1; }
__host__ int both(const char *) { return 3; }
extern "C" __global__ void use(int *p) { *p = both(*p) + both(2.0) + both(3l) + both(4u); }
void launch(int *p) { use<<<1, 1>>>(p); }
