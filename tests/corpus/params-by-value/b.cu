__device__ int digest(const char *bytes, int size) {
  int sum = 0;
  for (int i = 0; i < size; ++i)
    sum = sum * 31 + bytes[i];
  return sum;
}
