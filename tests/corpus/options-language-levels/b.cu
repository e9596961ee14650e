#include "config.h"
__device__ int of_b(int x) { return of_a(Config::table) * Config::table[x % 3] + latest(x); }
