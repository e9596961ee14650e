template <class T, int N> struct Queue {
  __device__ static T *slots() {
    __shared__ T storage[N];
    return storage;
  }
  __device__ __noinline__ T exchange(T value) {
    slots()[threadIdx_x % N] = value;
    __syncthreads();
    return slots()[N - 1 - threadIdx_x % N];
  }
};
struct __align__(32) Wide {
  int content[8];
};
__device__ int wide(int x);
