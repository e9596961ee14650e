static __device__ int state$ = 1;
static __device__ int state_ = 2;
extern "C" __device__ int function$1(int x) { return x + state$++ + state_++; }
extern "C" __global__ void kernel$a(int *p) { *p = function$1(*p); }
void launch_a(int *p) { kernel$a<<<1, 1>>>(p); }
