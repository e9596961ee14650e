struct Types {
  int x;
  __device__ int get() const { return x; }
};
