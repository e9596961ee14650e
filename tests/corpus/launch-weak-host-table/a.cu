extern "C" __global__ void of_a(int *p) { *p = 1; }
extern "C" __global__ void default_of_a(int *p) { *p = 2; }
typedef void (*Kernel)(int *);
__attribute__((weak)) extern const Kernel plugins[2];
__attribute__((weak)) const Kernel plugins[2] = {default_of_a, nullptr};
__attribute__((weak)) void launch(int *p) { of_a<<<1, 1>>>(p); }
