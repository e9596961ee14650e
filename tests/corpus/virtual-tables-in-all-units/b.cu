#include "node.h"
__device__ char storage[2][64];
extern "C" __global__ void use(int *p) {
  reinterpret_cast<Node *>(storage[1])->set(3);
  Typed<float> own(*p);
  *p = read(reinterpret_cast<Node *>(storage[*p & 1])) + read(&own);
}
void launch_b(int *p) { use<<<1, 1>>>(p); }
