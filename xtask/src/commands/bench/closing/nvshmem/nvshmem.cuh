#pragma once

// What the kernels use of NVSHMEM's device library. Its own headers would bring most of the library's code
// into each unit; a program that links the bitcode declares what it calls.

#include <cstddef>
#include <cstdint>

extern "C" {
__device__ int nvshmem_my_pe();
__device__ int nvshmem_n_pes();
__device__ void nvshmem_int_p(int* destination, int value, int pe);
__device__ void nvshmem_quiet();
__device__ void nvshmemx_getmem_block(void* destination, const void* source, size_t bytes, int pe);
__device__ void nvshmemx_putmem_signal_block(void* destination, const void* source, size_t bytes,
                                             uint64_t* signal, uint64_t value, int operation, int pe);
__device__ uint64_t nvshmem_signal_wait_until(uint64_t* signal, int comparison, uint64_t value);
}

// NVSHMEM_SIGNAL_SET and NVSHMEM_CMP_GE of NVSHMEM's headers.
constexpr int signal_set = 9;
constexpr int compare_ge = 5;

// Of the program's own units.
__device__ int neighbor(int distance);
