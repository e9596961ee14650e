// A kernel for TYPE, with a variable and a kernel that are local to the file and named by host code.
template <class T>
__global__ void scale(T* values, T factor) {
  values[threadIdx.x] *= factor;
}

static __device__ TYPE state = sizeof(TYPE);

// In front of the kernel: clang 22 gives the variable another name once host code refers to it, and a
// kernel before that keeps the old one.
static void set_state(TYPE value) { cudaMemcpyToSymbol(state, &value, sizeof(value)); }

static __global__ void advance(TYPE* values) { values[threadIdx.x] += state; }

int LAUNCH() {
  set_state(1);
  scale<TYPE><<<1, 1>>>(nullptr, 2);
  advance<<<1, 1>>>(nullptr);
  return 0;
}
