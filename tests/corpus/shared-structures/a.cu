__device__ double take(int i);
struct alignas(64) Queue {
  int head, tail;
  char tag;
};
extern "C" __global__ void step(double *p) {
  __shared__ Queue queues[3];
  queues[threadIdx_x % 3] = Queue{(int)threadIdx_x, 1, 'x'};
  __syncthreads();
  *p = queues[(threadIdx_x + 1) % 3].head + take(threadIdx_x);
}
void launch(double *p) { step<<<1, 32>>>(p); }
