#include "scan.h"
extern "C" __global__ void scan_a(int *p) {
  __shared__ Scan::TempStorage storage[4];
  p[threadIdx.x] = scan(storage[threadIdx.x / 32], p[threadIdx.x]);
}
void launch_a(int *p) { scan_a<<<1, 128>>>(p); }
