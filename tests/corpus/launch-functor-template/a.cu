#include "run.h"
namespace {
struct Add {
  int amount;
  __device__ int operator()(int x) const { return x + amount; }
};
} // namespace
void launch_a(int *p) {
  run<<<1, 32>>>(p, Twice());
  run<<<1, 32>>>(p, Add{5});
}
