extern "C" __global__ void of_b(int *p) { *p = 3; }
typedef void (*Kernel)(int *);
extern const Kernel plugins[2];
extern const Kernel plugins[2] = {of_b, nullptr};
void launch(int *p) { plugins[*p & 1]<<<1, 1>>>(p); }
