inline __device__ int *scratch() {
  __shared__ int area[40];
  return area;
}
template <class T> __device__ T *typed_scratch() {
  __shared__ T area[9];
  return area;
}
