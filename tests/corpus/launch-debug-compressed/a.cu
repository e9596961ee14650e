extern "C" __global__ void launched_here(int *p) { *p = 1; }
extern "C" __global__ void idle(int *p) { *p = 2; }
template <class T> __global__ void idle_instance(T *p) { *p = T(3); }
template __global__ void idle_instance<int>(int *p);
extern "C" __device__ int touched_here = 4;
namespace {
inline int size() { return sizeof(int); }
} // namespace
void launch(int *p) {
  cudaMemcpyToSymbol(touched_here, p, size());
  launched_here<<<1, 1>>>(p);
}
