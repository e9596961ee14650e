struct Config {
  double scale[4];
  int offset;
  char mode;
};
__device__ double apply(const Config *config, int i);
