inline __device__ int collatz(int n) {
  int steps = 0;
  for (; n > 1; ++steps)
    n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}
inline __noinline__ __device__ int twice(int n) { return collatz(n) + collatz(n + 1); }
