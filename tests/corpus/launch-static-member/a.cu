extern "C" __global__ void doubled(int *p) { *p *= 2; }
extern "C" __global__ void tripled(int *p) { *p *= 3; }
extern "C" __global__ void from_template(int *p) { *p *= 4; }
typedef void (*Kernel)(int *);
struct Registry {
  static const Kernel kernels[2];
};
const Kernel Registry::kernels[2] = {doubled, tripled};
template <class T> struct Family {
  static Kernel kernel;
};
template <class T> Kernel Family<T>::kernel = from_template;
void launch(int *p, int which) {
  Registry::kernels[which]<<<1, 1>>>(p);
  Family<int>::kernel<<<1, 1>>>(p);
}
