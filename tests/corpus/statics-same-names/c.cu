static __device__ char counter = 'c';
static __noinline__ __device__ char helper(char x) { return counter += x; }
__device__ int from_a(int x);
__device__ long from_b(long x);
extern "C" __global__ void run_all(int *p) { *p = helper(*p) + from_a(*p) + from_b(*p); }
void launch(int *p) { run_all<<<1, 1>>>(p); }
