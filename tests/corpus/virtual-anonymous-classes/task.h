struct Task {
  __device__ virtual int run(int x) = 0;
};
__device__ Task *task_of_b(void *place);
