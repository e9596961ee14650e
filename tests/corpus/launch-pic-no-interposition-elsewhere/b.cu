extern "C" __global__ void both(int *p);
extern "C" __global__ void outside(int *p);
void launch_b(int *p) {
  both<<<1, 1>>>(p);
  outside<<<1, 1>>>(p);
}
