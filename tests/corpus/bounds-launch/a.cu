__device__ int heavy(int x);
extern "C" __global__ void __launch_bounds__(512) one(int *p) { *p = heavy(*p); }
extern "C" __global__ void __launch_bounds__(256, 4) two(int *p) { *p = heavy(*p + 2); }
extern "C" __global__ void __launch_bounds__(64, 2) declared(int *p);
extern "C" __global__ void declared(int *p) { *p = heavy(*p + 4); }
template <int Threads, int Blocks>
__global__ void __launch_bounds__(Threads, Blocks) tunable(int *p) {
  *p = heavy(*p + Threads);
}
void launch(int *p) {
  one<<<1, 512>>>(p);
  two<<<1, 256>>>(p);
  tunable<128, 3><<<1, 128>>>(p);
  tunable<1024, 1><<<1, 1024>>>(p);
  declared<<<1, 64>>>(p);
}
