#include "attributes/everything.h"

#include "attributes/twice.tpp"
#include "geometry/shape.h"
#include "hidden.h"

#if !defined(SEES_HIDDEN)
#error "implementation_deps are lost"
#endif
#if !defined(FORCED) || !defined(LOCAL)
#error "copts or local_defines are lost"
#endif

__global__ void fill(int* values) { values[threadIdx.x] = twice(static_cast<int>(threadIdx.x)); }

int everything() {
  fill<<<1, 1>>>(nullptr);
  return twice(part()) + kCorners - 4 + kHidden - 3;
}
