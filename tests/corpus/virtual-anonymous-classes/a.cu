#include "task.h"
namespace {
__device__ int amount = 1;
struct Add : Task {
  __device__ int run(int x) override { return x + amount; }
};
} // namespace
extern "C" __global__ void use(int *p) {
  long place[4], other[4];
  Task *task = *p & 1 ? new (place) Add : task_of_b(other);
  *p = task->run(*p);
}
void launch(int *p) { use<<<1, 1>>>(p); }
