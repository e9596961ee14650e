__device__ int read_of_block(const int *place, unsigned block, int i);
__device__ int *mailbox_of_b();
__device__ void cluster_barrier();
