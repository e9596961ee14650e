struct Base {
  int x = 1;
  __device__ virtual int f(int i) { return x + i; }
};
struct Left : virtual Base {
  int left = 2;
  __device__ int f(int i) override { return left * i; }
};
struct Right : virtual Base {
  int right = 3;
  __device__ virtual int g(int i) { return right - i; }
};
struct Bottom : Left, Right {
  int bottom = 4;
  __device__ int f(int i) override { return bottom + left + i; }
  __device__ int g(int i) override { return bottom * right * i; }
};
__device__ int through_right(Right *right, int i);
