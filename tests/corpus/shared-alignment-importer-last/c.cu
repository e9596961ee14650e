extern __shared__ __align__(1024) char buffer[];
extern "C" __global__ void aligned_kernel(char *p) {
  buffer[threadIdx_x] = *p;
  __syncthreads();
  *p = buffer[31 - threadIdx_x] + ((unsigned long)buffer & 1023);
}
void launch_c(char *p) { aligned_kernel<<<1, 32, 4096>>>(p); }
