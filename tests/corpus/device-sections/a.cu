__device__ int from_b(int x);
__device__ __attribute__((section("own.data"))) int state = 4;
__device__ __attribute__((section("own.text"))) int in_section(int x) { return x + state++; }
extern "C" __global__ void __attribute__((section("own.kernels"))) use(int *p) {
  *p = from_b(*p) + in_section(*p);
}
void launch(int *p) { use<<<1, 1>>>(p); }
