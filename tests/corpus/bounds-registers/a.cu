extern "C" __device__ float polynomial(float x) {
  float sum = 0;
  for (int i = 0; i < 12; ++i)
    sum = sum * x + i;
  return sum;
}
