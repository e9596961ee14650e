struct Named {
  int name = 7;
  __device__ virtual int named() { return name; }
};
struct Shape {
  int sides = 3;
  __device__ virtual Shape *self(int x);
  __device__ virtual int count() { return sides; }
};
struct Both : Named, Shape {
  __device__ Both *self(int x) override;
  __device__ int count() override { return sides + name; }
};
__device__ Shape *shape(void *place, int x);
