__device__ int heavy(int x) {
  int values[8];
  for (int i = 0; i < 8; ++i)
    values[i] = x * i;
  for (int i = 0; i < x; ++i)
    values[i & 7] += values[(i + 3) & 7];
  return values[x & 7];
}
