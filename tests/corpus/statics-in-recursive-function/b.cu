#include "walk.h"
__device__ int visited_by_b(int x) {
  static __device__ int depth = 2;
  return x < depth ? depth : visited_by_b(walk(x)) + depth++;
}
