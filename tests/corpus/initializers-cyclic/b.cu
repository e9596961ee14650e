#include "node.h"
__device__ Node node_b = {&node_c, 2};
