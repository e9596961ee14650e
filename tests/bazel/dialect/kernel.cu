#include <cassert>

#if !defined(OF_COPT) || !defined(OF_CXXOPT) || defined(OF_CONLYOPT)
#error "the options of the command line are not those of C++"
#endif
#if __cplusplus < 202002L
#error "the unit has another dialect than the command line asks for"
#endif

extern "C" int part(int value);
int successor(int value);

__global__ void check(const int* values, int* results) {
  assert(values[threadIdx.x] > 0);
  results[threadIdx.x] = values[threadIdx.x];
}

int main() {
  check<<<1, 1>>>(nullptr, nullptr);
  return successor(2147483647) + part(1) == 0;
}
