// Compiled by nvcc in the test, as a vendor would have: its product is what is imported.
extern __device__ int scaled(int value);

__device__ int polished(int value) { return scaled(value) * 7; }
