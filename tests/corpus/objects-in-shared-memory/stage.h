struct Stage {
  int scale;
  __device__ Stage(int scale) : scale(scale) {}
  __device__ virtual int run(int x);
  __device__ virtual ~Stage();
};
__device__ int run_all(Stage *const *stages, int count, int x);
