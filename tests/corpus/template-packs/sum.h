struct Ten {
  char bytes[10];
  __device__ operator int() const { return bytes[3]; }
};
template <class... Ts> __global__ void sum(int *p, Ts... values) { *p = (0 + ... + (int)values); }
