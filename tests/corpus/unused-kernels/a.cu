__device__ int shared_by_both(int x);
__device__ int for_idle(int x);
__device__ int idle_table[100] = {1, 2, 3};
extern "C" __global__ void wanted(int *p) { *p = shared_by_both(*p); }
extern "C" __global__ void first_idle(int *p) { *p = shared_by_both(*p) + for_idle(*p); }
extern "C" __global__ void second_idle(int *p) { *p = idle_table[*p]; }
template <class T> __global__ void instance(T *p) { *p = for_idle((int)*p); }
template __global__ void instance(int *);
void launch(int *p) { wanted<<<1, 1>>>(p); }
