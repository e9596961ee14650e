#include "f.h"
__device__ int plain(int x) { return x + 1; }
__device__ bool is_known(F f) { return f == plain || f == in_header || f == in_template<int>; }
