extern "C" __attribute__((weak)) __device__ __noinline__ int tickets(int x) {
  static int ticket = 5;
  auto count = [](int by) {
    static int counted[3];
    return counted[by % 3] += by;
  };
  return ticket++ + count(x);
}
extern "C" __global__ void USE(int *p) { *p = tickets(*p) + tickets(*p + 1); }
void LAUNCH(int *p) { USE<<<1, 1>>>(p); }
