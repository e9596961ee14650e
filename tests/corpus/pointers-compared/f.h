typedef int (*F)(int);
__device__ int plain(int x);
inline __device__ int in_header(int x) { return x * 2; }
template <class T> __device__ T in_template(T x) { return x - 1; }
__device__ F of_b(int which);
__device__ bool is_known(F f);
