#define DECLARE(n) __device__ int part##n(int x);
DECLARE(0) DECLARE(1) DECLARE(2) DECLARE(3) DECLARE(4)
__device__ int (*const parts[5])(int) = {part0, part1, part2, part3, part4};
extern "C" __global__ void use(int *p) { *p = parts[*p % 5](*p) + part3(*p) + part4(*p); }
void launch(int *p) { use<<<1, 1>>>(p); }
