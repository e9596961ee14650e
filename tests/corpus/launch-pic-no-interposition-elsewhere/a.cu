extern "C" __global__ void both(int *p) { *p = 1; }
extern "C" __global__ void outside(int *p) { *p = 2; }
template <class T> __global__ void inside(T *p) { *p = T(3); }
void launch_a(int *p) {
  both<<<1, 1>>>(p);
  inside<<<1, 1>>>((float *)p);
}
