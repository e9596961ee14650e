namespace {
__device__ int factor = 2;
__global__ void work(int *p) { *p *= factor; }
} // namespace
void launch_a(int *p) { work<<<1, 1>>>(p); }
