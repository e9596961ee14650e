inline __device__ int next() {
  static __device__ int count = 100;
  return count++;
}
