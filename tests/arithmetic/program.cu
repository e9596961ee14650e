__device__ void of_library(float *out);

__global__ void of_program(float *out) {
  out[0] = out[1] / out[2];
  out[3] = sqrtf(out[4]);
  out[5] = out[6] * out[7] + out[8];
  of_library(out + 9);
}

// Both may point to the same place, as memory of one type is read as another.
__global__ void of_two_types(int *integers, float *floats) {
  integers[0] = 1;
  floats[0] = 2;
  integers[1] = integers[0];
}

int main() {
  of_program<<<1, 1>>>(nullptr);
  of_two_types<<<1, 1>>>(nullptr, nullptr);
}
