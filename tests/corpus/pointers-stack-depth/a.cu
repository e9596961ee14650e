typedef int (*F)(int);
extern "C" __global__ void run(int *p, F f) { *p = f(*p); }
void launch(int *p, F f) { run<<<1, 1>>>(p, f); }
