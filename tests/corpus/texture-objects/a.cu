struct Textures {
  cudaTextureObject_t color, depth;
  float scale;
};
__constant__ cudaTextureObject_t textures[4];
__device__ float fetch(const Textures &t, int i);
extern "C" __global__ void sample(float *p, Textures t) {
  *p = fetch(t, threadIdx.x) + tex1Dfetch<float>(textures[threadIdx.x & 3], 5);
}
void launch(float *p, Textures t) {
  cudaMemcpyToSymbol(textures, &t, sizeof(cudaTextureObject_t));
  sample<<<1, 32>>>(p, t);
}
