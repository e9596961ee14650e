struct Pair { float x, y; };
extern "C" __device__ int bits(int);
extern "C" __device__ int sum(Pair);
extern "C" __global__ void use(int *p) {
  Pair pair = {1, 2};
  *p = bits(*p) + sum(pair);
}
void run(int *p) { use<<<1, 1>>>(p); }
