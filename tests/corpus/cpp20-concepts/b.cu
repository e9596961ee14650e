#include "concepts.h"
__device__ long of_b(long x) { return size(x) + size((short)x) + Box<long>().get(); }
void launch(char *p) { constrained<char><<<1, 1>>>(p); }
