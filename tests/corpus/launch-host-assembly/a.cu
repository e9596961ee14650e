extern "C" __global__ void of_constraint(int *p) { *p = 1; }
extern "C" __global__ void of_directive(int *p) { *p = 2; }
extern "C" __global__ void idle(int *p) { *p = 3; }
extern "C" __device__ int of_assembly = 4;
#ifndef __CUDA_ARCH__
asm(".section .data.rel.ro.kernels,\"aw\",@progbits\n"
    ".globl kernels\n"
    "kernels: .quad __device_stub__of_directive\n"
    ".quad of_assembly\n"
    ".text\n");
#endif
extern "C" void *kernels[2];
void launch(int *p) {
  void *address;
  asm("leaq %c1(%%rip), %0" : "=r"(address) : "i"(of_constraint));
  void *arguments[] = {&p};
  cudaLaunchKernel(address, dim3(1), dim3(1), arguments, 0, nullptr);
  cudaLaunchKernel(kernels[0], dim3(1), dim3(1), arguments, 0, nullptr);
  cudaMemcpyToSymbol(kernels[1], p, sizeof *p);
}
