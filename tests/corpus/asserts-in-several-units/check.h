extern "C" {
__device__ __attribute__((noreturn)) void __assertfail(const char *text, const char *file,
                                                       unsigned line, const char *function,
                                                       size_t size);
__device__ int printf(const char *format, ...);
}
#define check(condition)                                                                           \
  ((condition) ? (void)0                                                                           \
               : __assertfail(#condition, "check.h", __LINE__, __PRETTY_FUNCTION__, 1))
__device__ int from_b(int x);
inline __device__ __noinline__ int checked(int x) {
  check(x > 0);
  printf("%s: %d\n", __func__, x);
  return x;
}
