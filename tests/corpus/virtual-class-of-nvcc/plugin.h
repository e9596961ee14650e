struct Plugin {
  __device__ virtual int apply(int x) = 0;
  __device__ virtual int twice(int x) { return apply(apply(x)); }
};
__device__ Plugin *plugin_of_nvcc();
