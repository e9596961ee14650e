#include "base.h"
__device__ int Base::ask(int x) { return answer(x); }
__device__ Base::Base() { ask(1); }
