extern "C" __device__ int original(int x) { return x * 3 + 1; }
extern "C" __device__ int other_name(int x) __attribute__((alias("original")));
extern "C" __device__ int third_name(int x) __attribute__((alias("original")));
