struct Part {
  const char *name;
  float (*function)(float);
  float *weights;
};
struct Settings {
  int numbers[1024];
  Part parts[4];
  short check;
  const Part *last;
};
extern __constant__ Settings settings;
extern __device__ Part last_of_b;
extern __device__ float weights_of_b[2];
__device__ float of_a(float x);
__device__ float of_b(float x);
__device__ int last_name();
