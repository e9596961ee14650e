extern "C" __global__ void b_direct(int *p) { *p = 4; }
static __global__ void in_unit(int *p) { *p = 5; }
void launch_b(int *p) {
  b_direct<<<1, 1>>>(p);
  in_unit<<<1, 1>>>(p);
}
