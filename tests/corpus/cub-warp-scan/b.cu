#include "scan.h"
extern "C" __global__ void scan_b(int *p) {
  __shared__ Scan::TempStorage storage;
  p[threadIdx.x] = scan(storage, p[threadIdx.x] + 1);
}
void launch_b(int *p) { scan_b<<<1, 32>>>(p); }
