__device__ void of_library(float *out) {
  out[0] = out[1] / out[2];
  out[3] = sqrtf(out[4]);
  out[5] = out[6] * out[7] + out[8];
}
