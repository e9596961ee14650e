#include "launches.h"
#include "units.cuh"

__global__ void audit(int* values) { values[0] = mixed(values[0]); }

void launch_audit(int* values) {
  audit<<<1, 1>>>(values);
}
