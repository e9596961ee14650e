template <class T> struct Solver {
  static __global__ void step(T *p) { *p += 1; }
  template <int N> static __global__ void steps(T *p) { *p += N; }
  void run(T *p) const;
};
struct Plain {
  static __global__ void of_plain(int *p) { *p = 1; }
  static __global__ void idle(int *p) { *p = 2; }
  struct Inner {
    static __global__ void of_plain(int *p) { *p = 3; }
  };
};
extern void (*const kernel_of_b)(int *);
