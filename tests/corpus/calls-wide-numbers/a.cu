#include "wide.h"
extern "C" __global__ void use(long *p) {
  Wide product = multiply((Wide)*p << 64 | 5, -3);
  *p = (long)(product >> 64) + (long)half_of(*p) + (long)sum(Quad{1, 2, 3, 4}, Pair{0.5, 1})[1] +
       through(multiply, *p);
}
void launch(long *p) { use<<<1, 1>>>(p); }
