template <class T> __global__ void set(T *p) { *p = T(7); }
