extern __device__ int state;
__device__ int in_section(int x);
static __device__ __attribute__((section("own.data"))) int hidden[3] = {1, 2, 3};
__constant__ __attribute__((section("own.constants"))) double factors[2] = {1, 2};
__device__ int from_b(int x) { return in_section(x) * state + hidden[x % 3] + (int)factors[x & 1]; }
