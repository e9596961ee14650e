struct dim3 {
  unsigned x, y, z;
};
extern "C" {
extern int plain_copy;
void __device_stub__plain_launch(int *p);
int cudaLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);
int cudaMemcpyToSymbol(const void *, const void *, unsigned long, unsigned long, int);
}
static const void *const kernels[] = {(const void *)__device_stub__plain_launch};
void launch(int *p, int which) {
  void *arguments[] = {&p};
  cudaMemcpyToSymbol(&plain_copy, p, 4, 0, 1);
  cudaLaunchKernel(kernels[which], {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr);
}
