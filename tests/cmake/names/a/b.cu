#define NAME folder
#include "unit.cuh"
