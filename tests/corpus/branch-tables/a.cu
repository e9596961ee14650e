__device__ int step(int state, int x);
static __device__ __noinline__ int own(int state, int x) {
  switch (state & 7) {
  case 0: return step(x, 1);
  case 1: return step(1, x) * 3;
  case 2: return x;
  case 3: return step(x, x);
  case 4: return step(2, 3) - x;
  case 5: return step(x & 3, 5) / 2;
  default: return 7;
  }
}
extern "C" __global__ void use(int *p) { *p = own(*p, 1) + step(*p, 2) + step(*p + 1, 3); }
void launch(int *p) { use<<<1, 1>>>(p); }
