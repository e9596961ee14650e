#include "both.h"
__device__ int in_struct = 6;
__device__ int of_b(int x) { return *find(x) + in_struct; }
static const Names names = {"in_struct", &in_struct};
const Names *all() { return &names; }
