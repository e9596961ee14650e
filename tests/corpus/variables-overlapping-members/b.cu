#include "layout.h"
__device__ Thrifty thrifty = {{}, {3, 'a'}, 'b'};
__device__ Wasteful wasteful = {{}, {4, 'c'}, 'd'};
__device__ Thrifty swap(Thrifty thrifty) {
  auto &[nothing, head, tail] = thrifty;
  char last = head.second;
  head.second = tail;
  tail = last;
  return thrifty;
}
