#include "registry.h"
Registrar *Registrar::head;
extern "C" __global__ void registered_a(int *p) { *p = 1; }
static Registrar of_a(registered_a);
void launch_all(int *p) {
  for (Registrar *it = Registrar::head; it; it = it->next)
    it->kernel<<<1, 1>>>(p);
}
