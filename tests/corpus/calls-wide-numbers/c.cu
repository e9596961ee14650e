#include "wide.h"
__device__ long through(Wide (*function)(Wide, Wide), long x) { return (long)function(x, x); }
