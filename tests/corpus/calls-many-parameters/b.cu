#include "many.h"
template __device__ long many<long>(long, long, long, long, long, long, long, long, long, long,
                                    long, long, long, long, long, long, long, long, long, long,
                                    long, long, long, long, long, long, long, long, long, long,
                                    long, long, long, long, long, long, long, long, long, long);
__device__ long large(Large one, Large other, int i) {
  return one.content[i & 255] - other.content[255 - (i & 255)];
}
