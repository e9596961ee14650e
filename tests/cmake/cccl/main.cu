#include <cstdio>

void order(int *values, int count);
void total(const int *values, int count, int *sum);

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("no GPU");
    return 0;
  }
  const int count = 1000;
  int *values = nullptr;
  if (cudaMallocManaged(&values, (count + 1) * sizeof *values) != cudaSuccess) {
    return 1;
  }
  for (int i = 0; i < count; ++i) {
    values[i] = count - i;
  }
  order(values, count);
  total(values, count, values + count);
  // Each value counts twice.
  const bool ran = cudaDeviceSynchronize() == cudaSuccess;
  const bool right = ran && values[0] == 1 && values[count] == count * (count + 1);
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
