extern "C" __device__ unsigned visit(unsigned index);
extern "C" __global__ void count(unsigned *p) {
  p[1] = visit(p[0]);
  p[2] = visit(p[1]);
}
void launch(unsigned *p) { count<<<1, 1>>>(p); }
