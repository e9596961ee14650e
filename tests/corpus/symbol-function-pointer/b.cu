typedef int (*Operation)(int);
Operation fetch(bool is_default);
extern "C" __global__ void apply(int *p, Operation f) { *p = f(*p); }
void launch(int *p) { apply<<<1, 1>>>(p, fetch(*p > 3)); }
