#define DECLARE(n) __device__ int part##n(int x);
DECLARE(0) DECLARE(1) DECLARE(2) DECLARE(3) DECLARE(4) DECLARE(5) DECLARE(6) DECLARE(7)
__device__ int (*const parts[8])(int) = {part0, part1, part2, part3, part4, part5, part6, part7};
extern "C" __global__ void use(int *p) { *p = parts[*p & 7](*p) + part3(*p) + part4(*p); }
void launch(int *p) { use<<<1, 1>>>(p); }
