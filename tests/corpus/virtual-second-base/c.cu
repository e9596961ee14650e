#include "parts.h"
__device__ int Last::get(int x) { return x + joined + second; }
__device__ Second *make(void *place, int x) {
  if (x > 4)
    return new (place) Joined;
  return new (place) Last;
}
