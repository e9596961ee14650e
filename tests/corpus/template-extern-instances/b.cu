#include "filter.h"
template struct Filter<3>;
template struct Filter<5>;
__device__ int by_b(int x) { return Filter<7>().apply(x) - Filter<3>::uses; }
