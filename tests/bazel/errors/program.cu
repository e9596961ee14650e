#ifdef STOPS
#error "no header of that name is there"
#endif

__device__ int missing(int value);

__global__ void kernel(int* values) {
#ifdef CALLS_MISSING
  values[0] = missing(values[0]);
#else
  values[0] = 1;
#endif
}

int main() {
  kernel<<<1, 1>>>(nullptr);
  return 0;
}
