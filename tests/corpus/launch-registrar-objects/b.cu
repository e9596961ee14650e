#include "registry.h"
extern "C" __global__ void registered_b(int *p) { *p = 2; }
namespace {
Registrar of_b(registered_b);
}
