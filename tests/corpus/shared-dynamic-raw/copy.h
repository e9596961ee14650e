struct alignas(64) Wide {
  int content[16];
};
template <class T> __global__ void copy(T *p) {
  extern __shared__ __align__(alignof(T)) unsigned char raw[];
  T *values = reinterpret_cast<T *>(raw);
  values[threadIdx_x] = p[threadIdx_x];
  __syncthreads();
  p[threadIdx_x] = values[31 - threadIdx_x];
}
