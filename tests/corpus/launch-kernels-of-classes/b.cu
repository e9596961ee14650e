#include "solver.h"
void (*const kernel_of_b)(int *) = Plain::Inner::of_plain;
void launch_int(int *p) { Solver<int>::step<<<1, 1>>>(p); }
