// SPDX-License-Identifier: Apache-2.0
// A library of device functions, with a kernel and a variable that nobody uses.
__device__ int calls_of_vendor;

__device__ float vendor_scale(float x) { return x * 4.0f + 2.0f; }
__device__ float unreached_of_vendor(float x) { return x * 9.0f; }

__global__ void kernel_of_vendor(float* out) {
  calls_of_vendor = 1;
  *out = unreached_of_vendor(*out);
}
