#include "tables.h"
static constexpr float local_table[8] = {8, 7, 6, 5, 4, 3, 2, 1};
__device__ double mixed(int i);
extern "C" __global__ void use(double *p) {
  int i = *p;
  *p = mixed(i) * prime(i) - power(i + 1) + local_table[i & 7];
}
void launch(double *p) { use<<<1, 1>>>(p); }
