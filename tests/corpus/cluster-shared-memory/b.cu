#include "cluster.h"
__device__ int read_of_block(const int *place, unsigned block, int i) {
  unsigned own = (unsigned long)(__attribute__((address_space(3))) const int *)(place + i), other;
  int value;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(own), "r"(block));
  asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(value) : "r"(other) : "memory");
  return value;
}
__device__ int *mailbox_of_b() {
  __shared__ int mailbox[10];
  return mailbox;
}
__device__ void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
}
