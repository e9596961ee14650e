#define NAME underscore
#include "unit.cuh"
