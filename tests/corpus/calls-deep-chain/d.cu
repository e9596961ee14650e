#include "state.h"
static __constant__ char letters[5] = {'a', 'b', 'c', 'd', 'e'};
__device__ State in_d(State s, State (*back)(State)) {
  s.z[s.x % 5] = letters[(s.x + 1) % 5];
  return back(s);
}
