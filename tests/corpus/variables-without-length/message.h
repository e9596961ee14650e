struct Message {
  int length;
  char text[];
};
struct Tail {
  short first[2];
  int count;
  int numbers[];
};
extern __device__ int nothing[0], nothing_too[0];
__device__ Message &greeting();
__device__ Tail &tail_of_b();
__device__ const int *after(const Tail &tail);
