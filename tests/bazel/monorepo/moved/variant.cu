namespace VARIANT {

__global__ void kernel(int* values) { values[0] = 1; }

int launch() {
  kernel<<<1, 1>>>(nullptr);
  return 0;
}

}  // namespace VARIANT
