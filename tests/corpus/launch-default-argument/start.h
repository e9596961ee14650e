__global__ void usual(int *p);
extern "C" __global__ void special(int *p);
void start(int *p, void (*kernel)(int *) = usual);
struct Options {
  void (*kernel)(int *) = special;
  int blocks = 1;
};
void start_with(int *p, const Options &options);
