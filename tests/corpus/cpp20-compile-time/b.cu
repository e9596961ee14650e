#include "tables.h"
__device__ double of_b(double x) {
  return squares.values[(int)x & 7] * where(x) + primes[(int)x & 3];
}
