// SPDX-License-Identifier: Apache-2.0
#include "limits.cuh"
#ifndef FOR_TARGET
#error "the target's definition is missing"
#endif
__device__ int late(int x);
__device__ int seed(int x);
static __device__ int counter;
__global__ void dead_kernel(int* out) { *out = late(*out) + ++counter; }
extern "C" __global__ void kept_kernel(int* out) { *out = seed(late(kLimit)); }
