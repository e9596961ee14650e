#include "config.h"
extern "C" __global__ void use(double *p, const __grid_constant__ Config first,
                               const __grid_constant__ Config second) {
  *p = apply(threadIdx_x & 1 ? &first : &second, threadIdx_x);
}
void launch(double *p, Config config) { use<<<1, 32>>>(p, config, config); }
