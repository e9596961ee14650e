__device__ int scaled(int value);

__global__ void advance(int *values) { values[threadIdx.x] = scaled(values[threadIdx.x]); }

__global__ void forgotten(int *values) { values[0] = 1; }

void step(int *values) { advance<<<1, 32>>>(values); }
