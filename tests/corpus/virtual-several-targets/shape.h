struct Shape {
  __device__ virtual int area(int x) const = 0;
  __device__ virtual int edges() const { return 0; }
};
__device__ Shape *make_b(void *place, int which);
__device__ Shape *make_c(void *place, int which);
