static __device__ __noinline__ int value(int x) {
  switch (x) {
  case 0: return 7001;
  case 1: return 12;
  case 2: return 360000;
  case 3: return 2;
  case 4: return 81;
  case 5: return 40;
  default: return 0;
  }
}
__device__ int value_of_a(int x);
extern "C" __global__ void use(int *p) { *p = value(*p) * value_of_a(*p) + value(p[1]); }
void launch(int *p) { use<<<1, 1>>>(p); }
