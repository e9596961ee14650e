#include <cstdio>
typedef int (*op)(int);
struct Shape { __device__ virtual int area(int x) { return x; } };
static __device__ int flag = 3;
__device__ int counter[4] = {5};
__constant__ int coeffs[8] = {1, 2, 3};
extern __device__ int table[4];
extern __device__ op ops[2];
extern __device__ Shape *shape;
extern __shared__ float dynamic[];
extern __device__ __noinline__ int other(int, int);
static __device__ __noinline__ int add(int x) { return x + flag; }
__device__ __noinline__ int pick(int x, int unused) { return x * counter[x & 3] + coeffs[x & 7]; }
template <class T> __device__ __noinline__ T buffered(T x) {
  __shared__ T buffer[32];
  buffer[threadIdx.x] = x; __syncthreads();
  return buffer[31 - threadIdx.x];
}
__device__ op *registered;
__global__ void child(int *p);
__global__ void set(int v, op *list) { flag = v; registered = list; list[0] = add; }
__global__ void use(int *p) {
  __shared__ int own[8]; own[threadIdx.x & 7] = *p; __syncthreads();
  dynamic[threadIdx.x] = own[3];
  *p = pick(*p, 1) + table[*p & 3] + ops[*p & 1](own[0]) + buffered<int>(*p) + other(*p, 2) + flag;
  __syncthreads(); *p += (int)dynamic[3];
}
__global__ void __launch_bounds__(128, 2) launch(int *p) {
  if (*p == 7) printf("seven %s\n", "abc");
  child<<<1, 1>>>(p);
  *p = shape->area(*p);
}
