// C++ by its name, CUDA by an option.
__device__ int twice(int value) { return 2 * value; }

__global__ void portable_kernel(int* values) { values[0] = twice(values[0]); }

void run_portable() { portable_kernel<<<1, 1>>>(nullptr); }
