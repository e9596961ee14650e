struct alignas(16) Four {
  float x, y, z, w;
};
extern __device__ char before, between;
extern __device__ __align__(4096) char page[100];
extern __device__ __align__(16) char bytes[48];
extern __device__ Four four;
extern __constant__ __align__(64) char table[5];
extern __constant__ char last;
extern "C" __global__ void use(Four *p) {
  *p = *(Four *)(bytes + 16);
  p[1] = four;
  p[2].x = before + between + page[3] + table[2] + last;
}
void launch(Four *p) { use<<<1, 1>>>(p); }
