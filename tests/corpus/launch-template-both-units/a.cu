#include "set.h"
template __global__ void set(int *);
