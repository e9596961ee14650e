struct Functions {
  Functions *next;
  int (*function)(int);
};
extern __device__ Functions functions, functions_of_c;
__device__ int circle_a(int x);
__device__ int circle_b(int x);
__device__ int apart(int x);
