#include "both.h"
__device__ int both(double x) { return (int)x; }
namespace hidden {
extern "C" __device__ int both_in_namespace(unsigned x) { return x + _Z4bothd; }
extern "C" __device__ int _ZN6hidden4bothEj = 4;
} // namespace hidden
__device__ int both(unsigned x) { return hidden::both_in_namespace(x) + hidden::_ZN6hidden4bothEj; }
