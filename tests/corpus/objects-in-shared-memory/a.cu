#include "stage.h"
struct Shift : Stage {
  using Stage::Stage;
  __device__ int run(int x) override { return x << scale; }
};
extern "C" __global__ void use(int *p) {
  __shared__ __align__(8) char places[2][sizeof(Shift)];
  __shared__ Stage *stages[2];
  if (threadIdx_x == 0) {
    stages[0] = new (places[0]) Stage(*p);
    stages[1] = new (places[1]) Shift(*p);
  }
  __syncthreads();
  *p = run_all(stages, 2, *p);
  __syncthreads();
  if (threadIdx_x == 0)
    stages[1]->~Stage();
}
void launch(int *p) { use<<<1, 32>>>(p); }
