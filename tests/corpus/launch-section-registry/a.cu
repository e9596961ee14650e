#include "entry.h"
extern "C" __global__ void listed(int *p) { *p = 1; }
extern "C" __global__ void idle(int *p) { *p = 2; }
REGISTERED(listed);
extern "C" const Entry __start_registry[], __stop_registry[];
void launch_all(int *p) {
  for (const Entry *entry = __start_registry; entry != __stop_registry; ++entry)
    entry->kernel<<<1, 1>>>(p);
}
