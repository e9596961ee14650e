__device__ int *make(int n);
extern "C" __global__ void report(int *p) {
  int *memory = make(*p);
  printf("%d values, the first is %d\n", *p, memory[0]);
  *p = memory[1];
  free(memory);
}
void launch(int *p) { report<<<1, 1>>>(p); }
