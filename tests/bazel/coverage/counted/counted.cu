#include "counted/counted.h"
#include "other/other.h"

__global__ void fill(int* values) {
  values[0] = 1;
}

int counted(int value) {
  if (value > 100) {
    fill<<<1, 1>>>(nullptr);
    return 0;
  }
  return other(part(value));
}
