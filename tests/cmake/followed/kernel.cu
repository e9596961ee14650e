// A library with one kernel, both of which have the name NAME. The host's use of the variable comes
// first, because clang 22 gives a local variable a second name if a kernel uses it before.
#define PASTE(first, second) first##second
#define LAUNCHER(name) PASTE(launch_, name)
#define KERNEL(name) PASTE(kernel_, name)

static __device__ int state;

__global__ void KERNEL(NAME)(int* values);

void LAUNCHER(NAME)() {
  int value = 1;
  cudaMemcpyToSymbol(state, &value, sizeof(value));
  KERNEL(NAME)<<<1, 1>>>(nullptr);
}

__global__ void KERNEL(NAME)(int* values) { values[0] = state; }
