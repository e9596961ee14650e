// A unit with a kernel, a variable and a function that are local to it, under names that all units
// have, and a function that other units call.
#define JOINED(first, second) first##second
#define CALLED(name) JOINED(called_, name)
#define LAUNCH(name) JOINED(launch_, name)

static __device__ int state;
static __device__ __noinline__ int step(int value) { return value * __LINE__ + state; }

__device__ int CALLED(NAME)(int value) { return step(value); }

static __global__ void local_kernel(int* values) { *values = step(*values); }

int LAUNCH(NAME)() {
  int one = 1;
  cudaMemcpyToSymbol(state, &one, sizeof(one));
  local_kernel<<<1, 1>>>(nullptr);
  return 0;
}
