#include <cstdio>

void order(int *values, int count);
void order_rows(const int *values, int *ordered, int count, const int *starts, int rows);
void total(const int *values, int count, int *sum);

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("no GPU");
    return 0;
  }
  const int count = 1000;
  int *values = nullptr;
  if (cudaMallocManaged(&values, (2 * count + 4) * sizeof *values) != cudaSuccess) {
    return 1;
  }
  for (int i = 0; i < count; ++i) {
    values[i] = count - i;
  }
  order(values, count);
  total(values, count, values + count);
  int *starts = values + count + 1;
  starts[0] = 0;
  starts[1] = 10;
  starts[2] = count;
  int *ordered = starts + 3;
  order_rows(values, ordered, count, starts, 2);
  // Each value counts twice.
  const bool ran = cudaDeviceSynchronize() == cudaSuccess;
  const bool right = ran && values[0] == 1 && values[count] == count * (count + 1) &&
                     ordered[0] == 1 && ordered[10] == 11;
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
