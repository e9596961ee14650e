#include "fold.h"
template <class F> __global__ void run(F function, int *p) { *p = function(*p); }
extern "C" __global__ void use(int *p) {
  auto sum = [](auto... values) { return (values + ... + 0); };
  auto again = [](auto self, int x) -> int { return x < 2 ? x : self(self, x - 1) + x; };
  *p = sum(1, 2l, 3u) + again(again, *p) + fold(*p, [=](int x) { return x + *p; }) + of_b(*p);
}
void launch(int *p, int scale) {
  use<<<1, 1>>>(p);
  run<<<1, 1>>>([scale, pair = Two{1, 2}] __device__(int x) { return x * scale + pair.b; }, p);
}
