extern "C" __device__ int scale;
extern "C" __device__ int called(int x);
extern "C" __device__ int by_address(int x);
__device__ int (*function)(int) = by_address;
extern "C" __global__ void of_nvcc(int *p) {
  scale = 5;
  *p = called(*p) + function(*p);
}
void launch_nvcc(int *p) { of_nvcc<<<1, 1>>>(p); }
