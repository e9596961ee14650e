static __device__ int counts[8];
__device__ int step(int state, int x) {
  switch (state & 7) {
  case 0: return counts[0]++;
  case 1: counts[1] += x; return x * 7;
  case 2: return counts[x & 7] * counts[2];
  case 3: counts[3] ^= x; break;
  case 4: return x << counts[4];
  case 5: counts[5] = counts[6]; return -x;
  case 6: return counts[7] / (x | 1);
  }
  return x + 1;
}
