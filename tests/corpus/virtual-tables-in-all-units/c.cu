#include "node.h"
__device__ int read(const Node *node) { return node->get(); }
