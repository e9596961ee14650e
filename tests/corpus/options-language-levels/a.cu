#include "config.h"
constexpr int Config::table[3];
__device__ int of_a(const int *table) { return Config::table == table ? table[1] : 0; }
extern "C" __global__ void use(int *p) { *p = Config::table[*p % 3] + of_b(*p); }
void launch(int *p) { use<<<1, 1>>>(p); }
