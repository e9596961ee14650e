// SPDX-License-Identifier: Apache-2.0
__device__ float vendor_scale(float x);
__device__ float term(float x) { return vendor_scale(x) + 1.0f; }
// Only the code of NVIDIA's compiler needs this function.
__device__ float offset_for_vendor(float x) { return x * 2.0f; }
