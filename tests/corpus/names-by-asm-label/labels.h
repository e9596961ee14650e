extern __device__ int counter asm("visible_counter");
__device__ int outer(int x);
