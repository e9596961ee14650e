#include "solver.h"
template <class T> void Solver<T>::run(T *p) const {
  step<<<1, 1>>>(p);
  steps<3><<<1, 1>>>(p);
}
template struct Solver<float>;
void launch(int *p) {
  Plain::of_plain<<<1, 1>>>(p);
  kernel_of_b<<<1, 1>>>(p);
}
const void *idle() { return (const void *)Plain::idle; }
