struct Odd {
  char name[5];
  double value;
  short last;
};
struct Empty {};
struct alignas(32) Aligned {
  char content[33];
};
struct Three {
  char c[3];
};
__device__ int digest(const char *bytes, int size);
extern "C" __global__ void odd(int *p, Three three, Odd a, Odd b) {
  *p = digest(a.name, 5) + digest(three.c, 3) + (int)b.value;
}
extern "C" __global__ void empty(char c, Empty, int *p, bool unused) { *p = c; }
extern "C" __global__ void aligned(int *p, char c, Aligned a, short unused) {
  *p = digest(a.content, 33) + c;
}
void launch(int *p) {
  odd<<<1, 1>>>(p, {}, {}, {});
  empty<<<1, 1>>>('c', {}, p, false);
  aligned<<<1, 1>>>(p, 'd', {}, 1);
}
