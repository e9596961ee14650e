#include "node.h"
__device__ Node node_c = {&node_a, 3};
