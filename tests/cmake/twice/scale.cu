// A kernel for TYPE. Host code also names a variable and a kernel that are local to the file.
template <class T>
__global__ void scale(T* values, T factor) {
  values[threadIdx.x] *= factor;
}

static __device__ TYPE state = sizeof(TYPE);

// This function precedes the kernel: clang 22 renames the variable once host code refers to it, and
// a kernel before that keeps the old name.
static void set_state(TYPE value) { cudaMemcpyToSymbol(state, &value, sizeof(value)); }

static __global__ void advance(TYPE* values) { values[threadIdx.x] += state; }

int LAUNCH() {
  set_state(1);
  scale<TYPE><<<1, 1>>>(nullptr, 2);
  advance<<<1, 1>>>(nullptr);
  return 0;
}
