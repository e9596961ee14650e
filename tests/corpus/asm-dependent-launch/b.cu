#include "dependent.h"
__device__ int result = 3;
static __device__ int prepared = 1;
__device__ int prepare(int x) { return result = x * prepared++; }
__device__ void trigger() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
__device__ void wait() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
