namespace one {
__device__ int state = 1;
__device__ int helper(int x) { return x + state; }
__global__ void work(int *p) { *p = helper(*p); }
} // namespace one
namespace two {
__global__ void work(int *p);
}
__global__ void work(int *p) { *p = one::helper(*p) * 2; }
__global__ void work(float *p) { *p = 0.5f; }
void launch(int *p) {
  one::work<<<1, 1>>>(p);
  two::work<<<1, 1>>>(p);
  work<<<1, 1>>>(p);
}
