struct Text {
  char content[600];
};
extern "C" {
__device__ void *memcpy(void *to, const void *from, size_t size);
__device__ size_t strlen(const char *text);
__device__ float sqrtf(float x);
__device__ int abs(int x);
}
__device__ void fill(Text &text, char with);
