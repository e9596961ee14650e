#include "forces.cuh"

__device__ float force(const float* places, int place, int count) {
  const float left = place > 0 ? places[place - 1] : places[place];
  const float right = place + 1 < count ? places[place + 1] : places[place];
  return left + right - 2.0f * places[place];
}
