struct Visitor {
  __device__ virtual int visit(int x) = 0;
};
__device__ int walk(Visitor &visitor, int x);
__device__ int of_b(int x);
inline __device__ int total(int x) {
  struct Local : Visitor {
    int sum = 0;
    __device__ int visit(int x) override { return sum += x; }
  } local;
  return walk(local, x);
}
template <class T> __device__ __noinline__ Visitor *make() {
  struct Local : Visitor {
    __device__ int visit(int x) override { return (T)(x * sizeof(T)); }
  };
  static __device__ Local local;
  return &local;
}
