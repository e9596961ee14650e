extern "C" __device__ int served(int x);
extern __constant__ int served_table[4];
static __device__ int before = 1;
extern "C" __global__ void user(int *p) {
  before += *p;
  *p = served(*p) + served_table[*p & 3] + before;
}
void launch(int *p) { user<<<1, 32>>>(p); }
