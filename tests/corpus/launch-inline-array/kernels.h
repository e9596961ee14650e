template <class T> __global__ void fill(T *p) { *p = T(7); }
template <class T> __global__ void clear(T *p) { *p = T(0); }
typedef void (*Kernel)(float *);
inline constexpr Kernel kernels[] = {fill<float>, clear<float>};
template <class T> inline void (*const of_type)(T *) = fill<T>;
