struct Root {
  int sum = 0;
  __device__ Root();
  __device__ virtual int own(int x) { return x + 1; }
};
struct Left : virtual Root {
  __device__ Left();
  __device__ int own(int x) override { return x + 2; }
};
struct Right : virtual Root {
  __device__ Right();
  __device__ virtual int right(int x) { return own(x) * 2; }
};
struct Top : Left, Right {
  __device__ Top();
  __device__ int own(int x) override { return x + 3; }
  __device__ int right(int x) override { return x * 3; }
};
__device__ int ask(Root *root);
