typedef int (*Operation)(int, int);
extern __constant__ Operation operations[4];
__device__ int multiply(int x, int y) { return x * y; }
extern "C" __global__ void dispatch(int *p) {
  if (Operation operation = operations[*p & 3])
    *p = operation(p[1], p[2]);
}
void launch(int *p) { dispatch<<<1, 1>>>(p); }
