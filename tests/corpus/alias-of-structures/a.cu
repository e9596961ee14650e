struct Pair { int first, second; };
struct Wide { double values[6]; };
// Too large to be a copy in every caller.
extern "C" __device__ __noinline__ int original(Pair pair, Wide wide) {
  int sum = pair.first;
  for (int i = 0; i < 6; ++i) sum = sum * pair.second + int(wide.values[i]);
  return sum;
}
extern "C" __device__ int other_name(Pair, Wide) __attribute__((alias("original")));
extern "C" __device__ int caller(int x) {
  return other_name(Pair{x, x + 1}, Wide{{1. * x, 2, 3}});
}
