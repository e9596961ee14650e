#include "numbers.h"
__device__ float singles[8] = {-0.0f, __builtin_inff(), -__builtin_inff(), __builtin_nanf("0x123"),
                               -__builtin_nansf("0x7"), 1.4e-45f, 0x1.fffffep+127f, 0.1f};
__constant__ double doubles[8] = {-0.0, __builtin_inf(), __builtin_nan("0xdead"), 4.9e-324, 0.1};
__device__ _Float16 halves[4] = {-0.0f16, 65504.f16, 0.1f16};
__device__ __bf16 brains[3] = {(__bf16)0.1f, (__bf16)-3.0f, (__bf16)1e38f};
__device__ Complex complex[2] = {{1, -0.0f}, {__builtin_inff(), 3}};
template __constant__ const Limits<float> limits_of<float>;
