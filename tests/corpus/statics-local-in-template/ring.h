template <class T, int N> __device__ T &slot(int i) {
  static __device__ T ring[N];
  return ring[i % N];
}
