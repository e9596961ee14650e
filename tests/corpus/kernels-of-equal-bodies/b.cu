#include "equal.h"
__device__ bool same(int (*one)(int), int (*other)(int)) { return one == other; }
