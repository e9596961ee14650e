extern __device__ int result;
__device__ int prepare(int x);
__device__ void trigger();
__device__ void wait();
