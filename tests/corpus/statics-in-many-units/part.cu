#define NAMED(prefix, n) prefix##n
#define NAME(prefix, n) NAMED(prefix, n)
static __device__ int state[N + 1] = {N};
static __constant__ int limit = N * 10;
struct Helper {
  static __device__ __noinline__ int help(int x) {
    static __device__ int helped = 7;
    return x + helped++;
  }
};
static __device__ __noinline__ int helper(int x) {
  return Helper::help(x) + state[0]++ + state[N] + limit;
}
__device__ int NAME(part, NEXT)(int x);
__device__ int NAME(part, N)(int x) { return x > limit ? helper(x) : NAME(part, NEXT)(x + 1); }
