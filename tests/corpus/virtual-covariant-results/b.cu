#include "shapes.h"
__device__ Shape *Shape::self(int x) {
  sides += x;
  return this;
}
__device__ Both *Both::self(int x) {
  name = x;
  return this;
}
__device__ Shape *shape(void *place, int x) {
  if (x & 1)
    return new (place) Shape;
  return new (place) Both;
}
