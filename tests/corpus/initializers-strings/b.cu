static __device__ const char *const names[4] = {"red", "infrared", "", "ultraviolet"};
__device__ const char *name_of(int i) { return names[i & 3]; }
