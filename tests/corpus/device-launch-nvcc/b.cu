extern "C" __device__ int combine(int x, int y);
extern "C" __global__ void nvcc_child(int *p) { *p = combine(*p, 2); }
extern "C" __global__ void nvcc_parent(int *p) { nvcc_child<<<1, 1>>>(p); }
void launch(int *p) { nvcc_parent<<<1, 1>>>(p); }
