__device__ void launch_from_b(int *p);
extern "C" __global__ void child(int *p) { p[threadIdx.x] = 1; }
extern "C" __global__ void parent(int *p) {
  child<<<1, 32>>>(p);
  launch_from_b(p);
}
void launch(int *p) { parent<<<1, 1>>>(p); }
