template <class T> __global__ void scale(T *p) { *p *= 2; }
template <class T> __global__ void negate(T *p) { *p = -*p; }
extern "C" __global__ void idle(int *p) { *p = 3; }
struct Operation {
  virtual void run(void *p) const = 0;
};
template <class T, auto... Kernels> struct Sequence : Operation {
  void run(void *p) const override { (Kernels<<<1, 1>>>(static_cast<T *>(p)), ...); }
};
template <class... O> struct All {
  static inline const Operation *const operations[] = {new O...};
};
typedef All<Sequence<int, scale<int>, negate<int>>, Sequence<double, negate<double>>> Used;
void launch(int i, void *p) { Used::operations[i]->run(p); }
template <class T> void never(T *p) { scale<T><<<1, 1>>>(p); }
