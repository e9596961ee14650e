// Functions of all sizes.
#include "shared.cuh"

__device__ float small(float x) { return x * 2 + 1; }

__device__ float medium(float x, int steps) {
  float sum = 0;
  for (int step = 0; step < steps; ++step)
    sum += helped(x) * step + sum / 3;
  return sum;
}

__device__ float large(float x) { return sinf(x) * cosf(x) + tanf(x) / powf(x, 3.5f); }

__device__ float chosen(int which, float x) {
  switch (which) {
  case 0: return x * x + 1;
  case 1: return x / 7;
  case 2: return x - medium(x, 3);
  case 3: return sqrtf(x);
  case 4: return x * 13 + helped(x);
  case 5: return -x;
  default: return 0;
  }
}

__device__ __noinline__ float apart(float x) { return x * 4 - 2; }

__device__ float Square::area(float side) const { return side * side; }
