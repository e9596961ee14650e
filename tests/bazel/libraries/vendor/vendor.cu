// The test compiles this unit with nvcc, as a vendor would, and imports the result.
extern __device__ int scaled(int value);

__device__ int polished(int value) { return scaled(value) * 7; }
