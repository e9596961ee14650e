__device__ int reversed(const int *from, int count, int i) {
  int *copy = static_cast<int *>(__builtin_alloca(count * sizeof(int)));
  for (int j = 0; j < count; ++j)
    copy[count - 1 - j] = from[j];
  return copy[i];
}
