__device__ int add(int x, int y);
__device__ int multiply(int x, int y);
static __device__ int subtract(int x, int y) { return x - y; }
typedef int (*Operation)(int, int);
__constant__ Operation operations[4] = {add, subtract, nullptr, multiply};
void read(void *p) { cudaMemcpyFromSymbol(p, operations, sizeof operations); }
