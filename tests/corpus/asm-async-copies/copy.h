__device__ void start_copy(int *stage, const int *from);
__device__ void finish_copies();
__device__ int *own_stage();
