#include "cluster.h"
extern "C" __global__ void __cluster_dims__(4, 1, 1) exchange(int *p) {
  __shared__ int mailbox[96];
  mailbox[threadIdx_x] = *p;
  cluster_barrier();
  *p = read_of_block(mailbox, 3, threadIdx_x) + read_of_block(mailbox_of_b(), 1, 0);
  cluster_barrier();
}
template <int N> __global__ void __cluster_dims__(N, 2, 1) tunable(int *p) {
  __shared__ int sums[N * 16];
  sums[0] = *p;
  cluster_barrier();
  *p = read_of_block(sums, N - 1, 0);
}
void launch(int *p) {
  exchange<<<4, 96>>>(p);
  tunable<2><<<dim3(2, 2), 32>>>(p);
}
