#include "task.h"
namespace {
__device__ double amount[4] = {1, 2, 3, 4};
struct Add : Task {
  int which = 2;
  __device__ int run(int x) override { return x + (int)amount[which & 3]; }
};
} // namespace
__device__ Task *task_of_b(void *place) { return new (place) Add; }
