extern "C" __global__ void direct_pic(int *p) { *p = 1; }
static __global__ void local_pic(int *p) { *p = 2; }
extern "C" __global__ void in_table_pic(int *p) { *p = 2; }
extern "C" __global__ void idle_pic(int *p) { *p = 3; }
static __device__ int own_pic = 4;
typedef void (*Kernel)(int *);
Kernel kernels_pic[] = {in_table_pic};
void launch_pic(int i, int *p) {
  direct_pic<<<1, 1>>>(p);
  local_pic<<<1, 1>>>(p);
  kernels_pic[i]<<<1, 1>>>(p);
  cudaMemcpyToSymbol(own_pic, p, sizeof own_pic);
}
__global__ void reads_pic(int *p) { *p = own_pic; }
void launch_reads(int *p) { reads_pic<<<1, 1>>>(p); }
