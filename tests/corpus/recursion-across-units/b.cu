__device__ bool is_even(unsigned n);
__device__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }
__device__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
