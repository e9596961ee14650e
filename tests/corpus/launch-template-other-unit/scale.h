template <class T> __global__ void scale(T *p, T factor) { p[threadIdx_x] *= factor; }
