#include "shape.h"
__device__ int sides = 6;
struct Hexagon : Shape {
  __device__ int area(int x) const override { return sides * x; }
  __device__ int edges() const override { return sides; }
};
struct Point : Shape {
  __device__ int area(int) const override { return 0; }
};
__device__ Shape *make_c(void *place, int which) {
  if (which & 1)
    return new (place) Hexagon;
  return new (place) Point;
}
