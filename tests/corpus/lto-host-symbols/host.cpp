// C++ code names a kernel by the stub that clang makes for it.
struct dim3 {
  unsigned x, y, z;
};
extern "C" {
extern int hidden_copy;
void __device_stub__hidden_launch(int *p);
int cudaLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);
int cudaMemcpyToSymbol(const void *, const void *, unsigned long, unsigned long, int);
}
void launch(int *p) {
  void *arguments[] = {&p};
  cudaMemcpyToSymbol(&hidden_copy, p, 4, 0, 1);
  auto stub = reinterpret_cast<const void *>(__device_stub__hidden_launch);
  cudaLaunchKernel(stub, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr);
}
