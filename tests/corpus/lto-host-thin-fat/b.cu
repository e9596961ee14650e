__device__ int of_a(int x);
extern "C" __global__ void ka(int *p);
extern "C" __global__ void kb(int *p) { *p = of_a(*p) + 1; }
void launch_b(int *p) {
  kb<<<1, 1>>>(p);
  ka<<<1, 1>>>(p);
}
