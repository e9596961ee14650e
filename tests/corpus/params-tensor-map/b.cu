#include "map.h"
__device__ void fetch(void *to, const Map *from, int x, int y, unsigned long long *arrived) {
  unsigned place = (unsigned long)(__attribute__((address_space(3))) void *)to;
  unsigned barrier = (unsigned long)(__attribute__((address_space(3))) void *)arrived;
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];"
      :
      : "r"(place), "l"(from), "r"(x), "r"(y), "r"(barrier)
      : "memory");
}
