#include "shape.h"
struct Square : Shape {
  int side = 3;
  __device__ int area(int x) const override { return side * side * x; }
};
__device__ Shape *make(void *place) { return new (place) Square; }
