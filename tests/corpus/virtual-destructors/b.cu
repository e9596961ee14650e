#include "item.h"
__device__ int destroyed;
struct Heavy : Item {
  int kilos;
  __device__ Heavy(int kilos) : kilos(kilos) {}
  __device__ ~Heavy() override { destroyed += kilos; }
  __device__ int weight() const override { return kilos; }
};
__device__ Item *make_item(int x) { return new Heavy(x); }
int read_destroyed() {
  int value;
  cudaMemcpyFromSymbol(&value, destroyed, sizeof value);
  return value;
}
