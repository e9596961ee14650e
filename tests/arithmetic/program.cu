__device__ void of_library(float *out);

__global__ void of_program(float *out) {
  out[0] = out[1] / out[2];
  out[3] = sqrtf(out[4]);
  out[5] = out[6] * out[7] + out[8];
  of_library(out + 9);
}

int main() { of_program<<<1, 1>>>(nullptr); }
