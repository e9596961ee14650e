extern "C" {
__device__ int level = 3;
__device__ int needed(int x) { return x + level; }
__attribute__((weak)) __device__ int weakly_needed(int x) { return x - level; }
__device__ int not_needed(int x) { return x ^ level; }
}
extern "C" __global__ void of_clang(int *p) { *p = needed(1) + not_needed(*p); }
void launch(int *p) { of_clang<<<1, 1>>>(p); }
