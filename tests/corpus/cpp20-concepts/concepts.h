template <class T>
concept Small = sizeof(T) <= 4;
template <class T>
concept Tiny = Small<T> && sizeof(T) == 1;
template <class T> __device__ __noinline__ int size(T) {
  static __device__ int large = 8;
  return large++;
}
template <Small T> __device__ __noinline__ int size(T) {
  static __device__ int small = 4;
  return small++;
}
template <Tiny T> __device__ __noinline__ int size(T) {
  static __device__ int tiny = 1;
  return tiny++;
}
template <class T> struct Box {
  __device__ int get() requires Small<T> { return size(T()); }
  __device__ int get() requires(!Small<T>) { return -size(T()); }
};
template <class T> requires Small<T> __global__ void constrained(T *p) { *p = size(*p); }
template <Tiny T> __global__ void constrained(T *p) { *p = size(*p) + 1; }
__device__ long of_b(long x);
