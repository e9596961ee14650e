#include "shape.h"
struct Square : Shape {
  __device__ int area(int x) const override { return x * x; }
  __device__ int edges() const override { return 4; }
};
struct Circle : Shape {
  __device__ int area(int x) const override { return 3 * x * x; }
};
__device__ Shape *make_b(void *place, int which) {
  if (which & 1)
    return new (place) Square;
  return new (place) Circle;
}
