#include "node.h"
extern "C" __global__ void use(int *p) {
  Leaf leaf;
  Node node;
  *p = call(*p & 1 ? leaf : node, *p);
}
void launch(int *p) { use<<<1, 1>>>(p); }
