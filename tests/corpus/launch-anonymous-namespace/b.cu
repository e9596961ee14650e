namespace {
__device__ int factor = 3;
__global__ void work(int *p) { *p *= factor; }
} // namespace
void (*b_table[])(int *) = {work};
