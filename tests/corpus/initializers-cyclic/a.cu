#include "node.h"
__device__ Node node_a = {&node_b, 1};
extern "C" __global__ void follow(int *p) {
  Node *node = *p & 1 ? &node_a : &node_b;
  for (int i = 0; i < *p; ++i)
    node = node->next;
  *p = node->value;
}
void launch(int *p) { follow<<<1, 1>>>(p); }
