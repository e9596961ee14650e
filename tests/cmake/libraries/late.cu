// SPDX-License-Identifier: Apache-2.0
#ifndef FOR_SOURCE
#error "the source's definition is missing"
#endif
static_assert(__cplusplus >= 201703L, "the target's language standard is missing");
// edit: the test changes the constant on the next line
__device__ __noinline__ int late(int x) { return x * 3; }
