struct Plugin {
  __device__ virtual int apply(int x) = 0;
};
extern __device__ Plugin *plugin;
