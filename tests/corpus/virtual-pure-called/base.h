struct Base {
  __device__ Base();
  __device__ int ask(int x);
  __device__ virtual int answer(int x) = 0;
};
