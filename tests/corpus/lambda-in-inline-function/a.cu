#include "ticket.h"
extern "C" __global__ void use_a(int *p) { *p = tickets(); }
void launch_a(int *p) { use_a<<<1, 1>>>(p); }
