struct Table {
  int length;
  double values[16];
};
consteval Table made(int power) {
  Table table{.length = 16};
  for (int i = 0; i < 16; ++i) {
    table.values[i] = 1;
    for (int j = 0; j < power; ++j)
      table.values[i] *= i;
  }
  return table;
}
inline __constant__ constexpr Table squares = made(2);
inline constexpr int primes[4] = {2, 3, 5, 7};
__device__ __noinline__ inline double where(double x, const char *file = __builtin_FILE_NAME(),
                                            int line = __builtin_LINE()) {
  return x + file[0] * line;
}
__device__ double of_b(double x);
