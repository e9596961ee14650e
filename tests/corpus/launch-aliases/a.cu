extern "C" __global__ void aliased(int *p) { *p = 1; }
extern "C" __global__ void chained(int *p) { *p = 2; }
extern "C" __global__ void weakly(int *p) { *p = 3; }
extern "C" __global__ void set_by_assembler(int *p) { *p = 4; }
extern "C" __global__ void versioned(int *p) { *p = 5; }
extern "C" __global__ void called_here(int *p) { *p = 6; }
extern "C" __global__ void aliased_for_nothing(int *p) { *p = 7; }
template <class T> __global__ void instance(T *p) { *p = 8; }
template __global__ void instance<int>(int *);
extern "C" __device__ int state;
__device__ int state = 9;
extern "C" __global__ void reads(int *p) { *p = state; }

#ifndef __CUDA_ARCH__
#define ALIAS(stub) __attribute__((alias(stub)))
extern "C" {
ALIAS("__device_stub__aliased") void launch_aliased(int *);
ALIAS("__device_stub__chained") void middle(int *);
ALIAS("middle") void launch_chained(int *);
__attribute__((weak)) ALIAS("__device_stub__weakly") void launch_weakly(int *);
ALIAS("__device_stub__aliased_for_nothing") void launch_nothing(int *);
ALIAS("_Z23__device_stub__instanceIiEvPT_") void launch_instance(int *);
extern int host_state ALIAS("state");
static ALIAS("__device_stub__called_here") void launch_here(int *);
void call_here(int *p) { launch_here(p); }
}
__asm__(".globl launch_set\n.set launch_set, __device_stub__set_by_assembler\n"
        ".symver __device_stub__versioned, launch_versioned@@V2\n");
#endif
