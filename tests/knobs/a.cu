// A kernel that calls functions of the other units, a kernel that nothing launches, and variables
// that nothing names.
#include "shared.cuh"

__device__ int unused_variable = 3;
__constant__ int unused_constant = 5;

__device__ float virtually(const Shape &shape, float side) { return shape.area(side); }

__global__ void simulate(float *out, const float *in, int steps) {
  const int thread = threadIdx.x;
  float value = small(in[thread]);
  value += medium(value, steps);
  value += large(value) - large(value / 5);
  value += chosen(thread, value) - chosen(steps, value);
  value += apart(value);
  Square square;
  value += virtually(square, value);
  out[thread] = value;
}

__global__ void never_launched(float *out) { out[0] = small(out[1]); }

void launch(float *out, const float *in, int steps) { simulate<<<1, 32>>>(out, in, steps); }
